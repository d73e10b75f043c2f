# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_docker_codec LINK belljar_docker LABELS unit)
