# SPDX-License-Identifier: GPL-3.0-or-later
belljar_test(tst_image_builder LINK belljar_images LABELS docker TIMEOUT 300)
