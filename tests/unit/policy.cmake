# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_policy LINK belljar_policy LABELS unit)
target_compile_definitions(tst_policy PRIVATE BELLJAR_POLICIES="${CMAKE_SOURCE_DIR}/resources/policies")
belljar_test(tst_policy_loosened LINK belljar_policy LABELS unit)
belljar_test(tst_policy_keeper LINK belljar_policies LABELS unit)
target_compile_definitions(tst_policy_keeper PRIVATE BELLJAR_POLICIES="${CMAKE_SOURCE_DIR}/resources/policies")
belljar_test(tst_approval LINK belljar_approval LABELS unit)
# The command as people call it; it analyses with a process of the same program.
belljar_test(tst_policy_cli LINK belljar_base LABELS unit)
target_compile_definitions(tst_policy_cli PRIVATE
    BELLJAR_PROGRAM="$<TARGET_FILE:belljar>" BELLJAR_POLICIES="${CMAKE_SOURCE_DIR}/resources/policies")
add_dependencies(tst_policy_cli belljar)
