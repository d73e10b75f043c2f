# SPDX-License-Identifier: GPL-3.0-or-later
belljar_fuzz(fuzz_audit LINK belljar_audit)
