# SPDX-License-Identifier: GPL-3.0-or-later
belljar_fuzz(fuzz_mcp LINK belljar_mcp)
belljar_fuzz(fuzz_http LINK belljar_mcp)
belljar_fuzz(fuzz_mcp_fields LINK belljar_mcp)
