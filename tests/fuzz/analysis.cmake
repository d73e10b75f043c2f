# SPDX-License-Identifier: GPL-3.0-or-later
# The grammars' own C code is what is hostile text's to break.
target_compile_options(belljar_grammars PRIVATE -fsanitize=address,fuzzer-no-link)
belljar_fuzz(fuzz_analysis LINK belljar_analysis)
target_compile_definitions(fuzz_analysis PRIVATE BELLJAR_QUERIES="${CMAKE_SOURCE_DIR}/resources/queries")
belljar_fuzz(fuzz_analysis_message LINK belljar_findings)
