# SPDX-License-Identifier: GPL-3.0-or-later
belljar_fuzz(fuzz_attach_stream LINK belljar_docker)
belljar_fuzz(fuzz_docker_reply LINK belljar_docker)
