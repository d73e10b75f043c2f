# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_mcp_jsonrpc LINK belljar_mcp LABELS unit)
belljar_test(tst_mcp_session LINK belljar_mcp LABELS unit)
belljar_test(tst_mcp_execution_tools LINK belljar_mcp LABELS unit)
belljar_test(tst_mcp_socket LINK belljar_mcp LABELS unit)
belljar_test(tst_mcp_http LINK belljar_mcp LABELS unit)
belljar_test(tst_mcp_modern LINK belljar_mcp LABELS unit)
target_compile_definitions(tst_mcp_execution_tools PRIVATE
    BELLJAR_LANGUAGES="${CMAKE_SOURCE_DIR}/resources/languages")
belljar_test(tst_mcp_result_text LINK belljar_mcp LABELS unit)
belljar_test(tst_stdio_bridge LINK belljar_cli LABELS unit)
