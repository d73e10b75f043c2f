# SPDX-License-Identifier: GPL-3.0-or-later
belljar_fuzz(fuzz_query_text
    SOURCES fuzz_query_text.cpp ${CMAKE_SOURCE_DIR}/ui/runs/query_text.cpp
    LINK belljar_store)
