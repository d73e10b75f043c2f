#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Everything a developer does, from a fresh machine on (Debian 12 or newer, Ubuntu 24.04 or newer):
#   packaging/dev.sh run     set up, build, and open Belljar
#   packaging/dev.sh test    set up, build with both compilers, and run every test
# Both do all the steps they need and may be run again at any time. The steps alone: packaging/dev.sh help
set -euo pipefail
shopt -s inherit_errexit

cd "$(dirname "$0")/.."
# shellcheck source=packaging/dev/steps.sh
source packaging/dev/steps.sh
# shellcheck source=packaging/dev/checks.sh
source packaging/dev/checks.sh
# shellcheck source=packaging/dev/tests.sh
source packaging/dev/tests.sh

usage() {
    cat <<'TEXT'
usage: packaging/dev.sh STEP

  run             set up, build, make the sandbox images and open Belljar
                  (without a display: run three programs in sandboxes and show what they print)
  test            set up, build with gcc and clang, run every test
                  ends with the line "N passed, N failed"

Steps of these two, each usable alone:
  deps [test]     install the packages that building (and testing) needs
  build [PRESET]  configure and build a preset of CMakePresets.json (default: dev)
  engine          start a Docker Engine if none answers
  images          build the sandbox images that are missing
  sanitizers      build with ASan+UBSan, TSan and libFuzzer and run the tests that concern them
  screenshots     render every screen, light and dark, English and Chinese, into build/screenshots
  translations    bring resources/i18n up to date with the texts in the source
  check           format, boundaries between folders, coroutine trap, shell scripts (seconds)
TEXT
}

case "${1:-help}" in
run)
    install_packages run
    build_preset release belljar belljar-desktop belljar_runner
    start_engine
    build_images release
    open_belljar
    ;;
test) run_all_tests ;;
sanitizers) run_sanitizers ;;
deps) install_packages "${2:-run}" ;;
build) build_preset "${2:-dev}" ;;
engine) start_engine ;;
images)
    [[ -x build/release/bin/belljar ]] || build_preset release belljar belljar_runner
    start_engine
    build_images release
    ;;
translations) update_translations ;;
screenshots) take_screenshots ;;
check)
    mkdir -p build
    : >"$counts_file"
    run_checks
    printf '%s passed, %s failed\n' "$(counted 2)" "$(counted 3)"
    [[ $(counted 3) -eq 0 ]]
    ;;
help | -h | --help) usage ;;
*)
    usage >&2
    exit 2
    ;;
esac
