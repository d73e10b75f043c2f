# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_text LINK belljar_base LABELS unit)
belljar_test(tst_line_diff LINK belljar_base LABELS unit)
belljar_test(tst_json LINK belljar_base LABELS unit)
belljar_test(tst_deadline LINK belljar_base LABELS unit)
belljar_test(tst_task_group LINK belljar_base LABELS unit)
belljar_test(tst_file LINK belljar_base LABELS unit)
belljar_test(tst_paths LINK belljar_base LABELS unit)
