# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_engine_settings LINK belljar_engine LABELS unit TIMEOUT 120)
add_dependencies(tst_engine_settings belljar)
