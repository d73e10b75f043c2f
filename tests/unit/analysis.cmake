# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_analysis LINK belljar_analysis LABELS unit)
belljar_test(tst_analysis_corpus LINK belljar_analysis LABELS unit)
belljar_test(tst_analysis_thread LINK belljar_analysis LABELS unit threads)
foreach(test IN ITEMS tst_analysis tst_analysis_corpus tst_analysis_thread)
    target_compile_definitions(${test} PRIVATE
        BELLJAR_QUERIES="${CMAKE_SOURCE_DIR}/resources/queries"
        BELLJAR_CORPUS="${CMAKE_SOURCE_DIR}/tests/analysis/corpus"
        BELLJAR_PROGRAMS="${CMAKE_SOURCE_DIR}/../shared/programs")
endforeach()
