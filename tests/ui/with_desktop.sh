#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# with_desktop.sh PROGRAM ...: runs it on an X screen of its own with a window manager. The server
# picks a free display and says which.
set -eu
folder=$(mktemp -d)
server=
manager=
cleanup() {
    [ -z "$manager" ] || kill "$manager" 2>/dev/null || true
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$folder"
}
trap cleanup EXIT INT TERM
mkfifo "$folder/display"
Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp 3>"$folder/display" 2>"$folder/xvfb.log" &
server=$!
read -r number <"$folder/display" || { cat "$folder/xvfb.log" >&2; exit 1; }
export DISPLAY=":$number" QT_QPA_PLATFORM=xcb
mkfifo "$folder/managed"
openbox --startup "sh -c 'echo >$folder/managed'" 2>"$folder/openbox.log" &
manager=$!
read -r _ <"$folder/managed" # windows are managed from here on
"$@"
