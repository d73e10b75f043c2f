# SPDX-License-Identifier: GPL-3.0-or-later
# belljar_test(NAME SOURCES ... LINK ... LABELS ... [TIMEOUT seconds] [LAUNCHER ...] [GUI])
# One Qt Test program, run by LAUNCHER where it needs a bus or a screen of its own. Every test gets its labels, a time limit and an environment of its own.
function(belljar_test name)
    cmake_parse_arguments(arg "GUI" "TIMEOUT" "SOURCES;LINK;LABELS;LAUNCHER" ${ARGN})
    if(NOT arg_SOURCES)
        set(arg_SOURCES ${name}.cpp)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 60)
    endif()
    add_executable(${name} ${arg_SOURCES})
    set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    target_link_libraries(${name} PRIVATE belljar_options ${arg_LINK} Qt6::Test)
    if(arg_GUI)
        target_link_libraries(${name} PRIVATE Qt6::Widgets)
    endif()
    add_test(NAME ${name} COMMAND ${arg_LAUNCHER} $<TARGET_FILE:${name}>)
    set_tests_properties(${name} PROPERTIES
        LABELS "${arg_LABELS}"
        TIMEOUT ${arg_TIMEOUT}
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LANG=C.UTF-8;LC_ALL=C.UTF-8;TZ=UTC;BELLJAR_DATA_DIR=${CMAKE_BINARY_DIR}/share/belljar;UBSAN_OPTIONS=print_stacktrace=1;ASAN_OPTIONS=detect_leaks=1;TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/tsan.supp halt_on_error=1")
endfunction()
