# SPDX-License-Identifier: GPL-3.0-or-later
# belljar_grammars: the tree-sitter grammars' own C sources, from npm, pinned by packaging/grammars/package-lock.json.
# Fetched once into the build folder and again only when the lock changes.
set(grammars_source "${CMAKE_SOURCE_DIR}/packaging/grammars")
set(grammars_folder "${CMAKE_BINARY_DIR}/grammars")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${grammars_source}/package-lock.json")
file(SHA256 "${grammars_source}/package-lock.json" grammars_wanted)
set(grammars_present "")
if(EXISTS "${grammars_folder}/lock.sha256")
    file(READ "${grammars_folder}/lock.sha256" grammars_present)
endif()
if(NOT grammars_present STREQUAL grammars_wanted)
    find_program(NPM_PROGRAM npm)
    if(NOT NPM_PROGRAM)
        message(FATAL_ERROR "npm is needed once, to fetch the tree-sitter grammars: apt-get install npm")
    endif()
    message(STATUS "Fetching the tree-sitter grammars")
    file(REMOVE_RECURSE "${grammars_folder}")
    file(MAKE_DIRECTORY "${grammars_folder}")
    file(COPY "${grammars_source}/package.json" "${grammars_source}/package-lock.json" DESTINATION "${grammars_folder}")
    # Scripts stay off: only the C sources are wanted, and nothing of npm's runs here.
    execute_process(
        COMMAND "${NPM_PROGRAM}" ci --ignore-scripts --no-audit --no-fund --legacy-peer-deps
        WORKING_DIRECTORY "${grammars_folder}" RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(failed)
        message(FATAL_ERROR "the tree-sitter grammars can't be fetched from the npm registry:\n${said}")
    endif()
    file(WRITE "${grammars_folder}/lock.sha256" "${grammars_wanted}")
endif()

add_library(belljar_grammars STATIC)
foreach(grammar IN ITEMS bash go java javascript python rust typescript)
    set(source "${grammars_folder}/node_modules/tree-sitter-${grammar}/src")
    if(grammar STREQUAL "typescript") # its package has two
        set(source "${grammars_folder}/node_modules/tree-sitter-typescript/typescript/src")
    endif()
    target_sources(belljar_grammars PRIVATE "${source}/parser.c")
    set_property(SOURCE "${source}/parser.c" PROPERTY INCLUDE_DIRECTORIES "${source}")
    if(EXISTS "${source}/scanner.c")
        target_sources(belljar_grammars PRIVATE "${source}/scanner.c")
        set_property(SOURCE "${source}/scanner.c" PROPERTY INCLUDE_DIRECTORIES "${source}")
    endif()
endforeach()
# Foreign and generated: its warnings aren't ours to mend, and it is optimised in every build (a debug parser is
# ten times slower).
target_compile_options(belljar_grammars PRIVATE -w -O2)
