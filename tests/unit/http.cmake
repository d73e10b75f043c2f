# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_http_access LINK belljar_http LABELS unit)
belljar_test(tst_http_server LINK belljar_http LABELS unit)
