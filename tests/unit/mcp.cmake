# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_mcp_session LINK belljar_mcp LABELS unit)
belljar_test(tst_mcp_result_text LINK belljar_mcp LABELS unit)
belljar_test(tst_stdio_bridge LINK belljar_cli LABELS unit)
