# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_docker_client LINK belljar_docker LABELS docker TIMEOUT 300)
# Engines that misbehave are played by the test: no real one is needed.
belljar_test(tst_docker_broken LINK belljar_docker LABELS docker unit TIMEOUT 120)
