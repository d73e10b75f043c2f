# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_sandbox LINK belljar_sandbox LABELS docker TIMEOUT 300)
set_property(TEST tst_sandbox APPEND PROPERTY ENVIRONMENT
    "BELLJAR_RUNNER=${CMAKE_BINARY_DIR}/libexec/belljar/belljar_runner")
belljar_test(tst_sandbox_desk_docker LINK belljar_engine LABELS docker TIMEOUT 300)
set_property(TEST tst_sandbox_desk_docker APPEND PROPERTY ENVIRONMENT
    "BELLJAR_RUNNER=${CMAKE_BINARY_DIR}/libexec/belljar/belljar_runner")
add_dependencies(tst_sandbox_desk_docker belljar)
belljar_test(tst_execution_steps LINK belljar_engine LABELS docker TIMEOUT 120)
set_property(TEST tst_execution_steps APPEND PROPERTY ENVIRONMENT
    "BELLJAR_RUNNER=${CMAKE_BINARY_DIR}/libexec/belljar/belljar_runner")
add_dependencies(tst_execution_steps belljar)
