# SPDX-License-Identifier: GPL-3.0-or-later
belljar_fuzz(fuzz_runner_frames LINK belljar_sandbox)
