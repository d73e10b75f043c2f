# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_store LINK belljar_store LABELS unit)
belljar_test(tst_history_reader LINK belljar_store LABELS unit)
belljar_test(tst_run_search LINK belljar_store LABELS unit)
belljar_test(tst_store_threads LINK belljar_store LABELS unit threads)
belljar_test(tst_engine_history LINK belljar_engine LABELS unit)
add_dependencies(tst_engine_history belljar)
