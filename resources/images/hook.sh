#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mmdebstrap runs this on the host with the new root as $1 and BELLJAR_RECIPE naming the recipe's folder:
# prepare.sh of the recipe where it has one, then finish.sh, both inside the new root.
set -eu
root=$1
scripts=$(dirname "$BELLJAR_RECIPE")

run() {
    echo "$2" >&2
    cp "$1" "$root/belljar-step.sh"
    chroot "$root" /bin/sh /belljar-step.sh
    rm -f "$root/belljar-step.sh"
}

if [ -e "$BELLJAR_RECIPE/prepare.sh" ]; then
    run "$BELLJAR_RECIPE/prepare.sh" "preparing the interpreter"
fi
run "$scripts/finish.sh" "removing what a sandbox doesn't need"
