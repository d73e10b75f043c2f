#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes Python and matplotlib ready for a read-only root and an empty home folder.
set -eu

# Depended upon, but only used to build fonts and web pages.
dpkg --purge --force-depends unicode-data libjs-jquery libjs-jquery-ui 2>/dev/null

# There is no display in a sandbox.
cat > /etc/matplotlibrc <<'RC'
backend: Agg
RC

# matplotlib keeps its list of fonts in the user's cache folder, which is new and empty in every sandbox:
# each first plot would scan all fonts again (0.3 s to 1 s). No setting names a read-only cache (MPLCONFIGDIR
# has to be writable), so the list is made once here and the one function that loads it looks there first.
list=/usr/share/matplotlib/belljar-fonts.json
mkdir -p "$(dirname "$list")"
python3 - "$list" <<'PY'
import pathlib
import sys

import matplotlib.font_manager as manager

fonts = sys.argv[1]
manager.json_dump(manager._load_fontmanager(try_read_cache=False), fonts)

source = pathlib.Path(manager.__file__)
text = source.read_text()
before = "    if try_read_cache:\n        try:\n            fm = json_load(fm_path)\n"
after = (
    f"    if try_read_cache:\n        try:\n            fm = json_load({fonts!r})\n"
    "            if getattr(fm, \"_version\", object()) == FontManager.__version__:\n"
    "                return fm\n"
    "        except Exception:\n            pass\n"
    "        try:\n            fm = json_load(fm_path)\n"
)
if text.count(before) != 1:
    sys.exit("prepare.sh: matplotlib's font_manager has changed, the font list can't be put in place")
source.write_text(text.replace(before, after))
PY
chmod 0644 "$list"

# The root is read-only later: what isn't compiled now is compiled again by every run.
python3 -m compileall -q -f /usr/lib/python3/dist-packages/matplotlib/font_manager.py
python3 -m compileall -q /usr/lib/python3 /usr/lib/python3.[0-9]* >/dev/null || true
rm -rf /usr/lib/python3*/test /usr/lib/python3*/idlelib /usr/lib/python3/dist-packages/*/tests \
    /usr/lib/python3/dist-packages/*/*/tests /root/.cache /root/.config
