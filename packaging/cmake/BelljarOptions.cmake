# SPDX-License-Identifier: GPL-3.0-or-later
# belljar_options: the standard, the warnings and the sanitizers. Every target of ours links it privately.
add_library(belljar_options INTERFACE)
target_compile_features(belljar_options INTERFACE cxx_std_20)
target_include_directories(belljar_options INTERFACE "${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}/generated")
target_compile_options(belljar_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-align -Wformat=2
    -Wimplicit-fallthrough -Wswitch-enum
    $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast -Wextra-semi -Wsuggest-override>
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op>
    # Optimising, GCC 12 takes Asio's recycling allocator of coroutine frames for a mismatch.
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-mismatched-new-delete>)
if(BELLJAR_WERROR)
    target_compile_options(belljar_options INTERFACE -Werror)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    target_compile_options(belljar_options INTERFACE -fstack-protector-strong)
    target_compile_definitions(belljar_options INTERFACE _FORTIFY_SOURCE=2 _GLIBCXX_ASSERTIONS)
    target_link_options(belljar_options INTERFACE -Wl,-z,relro,-z,now)
endif()
if(BELLJAR_SANITIZE)
    target_compile_options(belljar_options INTERFACE -fsanitize=${BELLJAR_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(belljar_options INTERFACE -fsanitize=${BELLJAR_SANITIZE})
    if(BELLJAR_SANITIZE MATCHES "undefined")
        target_compile_options(belljar_options INTERFACE -fno-sanitize-recover=undefined)
    endif()
    if(BELLJAR_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # GCC warns about Asio's fences, which ThreadSanitizer can't model.
        target_compile_options(belljar_options INTERFACE -Wno-tsan)
    endif()
endif()

# belljar_library(NAME SOURCES ... HEADERS ... LINK ...): one static library of the engine or the ui.
function(belljar_library name)
    cmake_parse_arguments(arg "NO_PCH" "" "SOURCES;HEADERS;LINK;PRIVATE_LINK" ${ARGN})
    add_library(${name} STATIC ${arg_SOURCES})
    target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${CMAKE_SOURCE_DIR}" FILES ${arg_HEADERS})
    target_link_libraries(${name} PUBLIC ${arg_LINK} PRIVATE belljar_options ${arg_PRIVATE_LINK})
    if(BELLJAR_PCH AND NOT arg_NO_PCH AND NOT name STREQUAL "belljar_base")
        target_precompile_headers(${name} REUSE_FROM belljar_base)
    endif()
endfunction()
