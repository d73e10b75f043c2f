# SPDX-License-Identifier: GPL-3.0-or-later
belljar_fuzz(fuzz_policy LINK belljar_policy)
