# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_client_entries LINK belljar_clients LABELS unit)
belljar_test(tst_clients LINK belljar_clients LABELS unit)
foreach(test IN ITEMS tst_client_entries tst_clients)
    target_compile_definitions(${test} PRIVATE BELLJAR_CLIENT_ROWS="${CMAKE_SOURCE_DIR}/resources/clients")
endforeach()
belljar_test(tst_clients_cli LINK belljar_cli LABELS unit)
target_compile_definitions(tst_clients_cli PRIVATE BELLJAR_RESOURCES="${CMAKE_SOURCE_DIR}/resources")
