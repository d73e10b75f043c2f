# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_image_recipes LINK belljar_images LABELS unit)
belljar_test(tst_child_process LINK belljar_images LABELS unit)
