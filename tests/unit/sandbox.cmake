# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_runner_protocol LINK belljar_sandbox LABELS unit)
belljar_test(tst_outcome LINK belljar_pipeline LABELS unit)
belljar_test(tst_slots LINK belljar_pipeline LABELS unit)
belljar_test(tst_languages LINK belljar_sandbox LABELS unit)
target_compile_definitions(tst_languages PRIVATE BELLJAR_LANGUAGES="${CMAKE_SOURCE_DIR}/resources/languages")
belljar_test(tst_sandbox_desk LINK belljar_engine LABELS unit TIMEOUT 120)
belljar_test(tst_run_files SOURCES tst_run_files.cpp LINK belljar_execution LABELS unit)
