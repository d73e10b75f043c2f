# SPDX-License-Identifier: GPL-3.0-or-later
# The built runner, over pipes on the host.
belljar_test(tst_runner SOURCES tst_runner.cpp runner_peer.cpp LINK nlohmann_json::nlohmann_json LABELS unit TIMEOUT 120)
belljar_test(tst_runner_drivers SOURCES tst_runner_drivers.cpp runner_peer.cpp
    LINK nlohmann_json::nlohmann_json LABELS unit TIMEOUT 120)
foreach(test IN ITEMS tst_runner tst_runner_drivers)
    target_compile_definitions(${test} PRIVATE
        BELLJAR_RUNNER_FILE="$<TARGET_FILE:belljar_runner>"
        BELLJAR_DRIVERS_FOLDER="${CMAKE_SOURCE_DIR}/resources/drivers")
    add_dependencies(${test} belljar_runner)
endforeach()
target_link_libraries(tst_runner PRIVATE belljar_runner_digest)

# Its parts, compiled into the test so that the sanitizers see them too.
set(runner_folder "${CMAKE_SOURCE_DIR}/engine/runner")
belljar_test(tst_runner_parts SOURCES tst_runner_parts.cpp
    ${runner_folder}/engine_queue.cpp ${runner_folder}/frame_reader.cpp ${runner_folder}/json_reader.cpp
    ${runner_folder}/launch.cpp ${runner_folder}/output_stream.cpp ${runner_folder}/sha256.cpp
    ${runner_folder}/stdin_spool.cpp ${runner_folder}/system.cpp
    LABELS unit)
