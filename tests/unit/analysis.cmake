# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_analysis LINK belljar_analysis LABELS unit)
belljar_test(tst_analysis_corpus LINK belljar_analysis LABELS unit)
# Against the built program: what breaks there must not break the engine.
belljar_test(tst_analysis_process LINK belljar_analysis_process LABELS unit)
add_dependencies(tst_analysis_process belljar)
belljar_test(tst_analysis_confined LINK belljar_analysis_process LABELS unit)
target_compile_definitions(tst_analysis_process PRIVATE BELLJAR_PROGRAM="$<TARGET_FILE:belljar>")
foreach(test IN ITEMS tst_analysis tst_analysis_corpus tst_analysis_confined)
    target_compile_definitions(${test} PRIVATE
        BELLJAR_QUERIES="${CMAKE_SOURCE_DIR}/resources/queries"
        BELLJAR_CORPUS="${CMAKE_SOURCE_DIR}/tests/analysis/corpus"
        BELLJAR_PROGRAMS="${CMAKE_SOURCE_DIR}/../shared/programs")
endforeach()
