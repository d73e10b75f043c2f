# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_audit LINK belljar_audit LABELS unit)
belljar_test(tst_audit_log LINK belljar_audit_log LABELS unit)
target_compile_definitions(tst_audit_log PRIVATE
    BELLJAR_AUDIT_CHECKER="${CMAKE_CURRENT_SOURCE_DIR}/verify_audit_export.py")
belljar_test(tst_audit_cli LINK belljar_cli LABELS unit)
