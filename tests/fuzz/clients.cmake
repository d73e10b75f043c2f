# SPDX-License-Identifier: GPL-3.0-or-later
belljar_fuzz(fuzz_client_entry LINK belljar_clients)
