# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The set-up steps of dev.sh: packages, builds, the container engine, images, the program itself.

readonly engine_log=${TMPDIR:-/tmp}/belljar-dockerd.log
readonly engine_wait_seconds=60

heading() { printf '\n==> %s\n' "$*"; }
note() { printf '    %s\n' "$*"; }
die() {
    printf 'dev.sh: %s\n' "$*" >&2
    exit 1
}

as_root() {
    if [[ $EUID -eq 0 ]]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "this needs root: $*  (there is no sudo here; run dev.sh as root)"
    fi
}

# One row per need. Names that differ between releases are alternatives: an installed one counts, else the
# first that this release has. A leading '?' marks what a release may lack altogether.
readonly packages_run=(
    'g++' 'cmake' 'ninja-build' 'ccache' 'pkg-config|pkgconf' 'ca-certificates'
    'libboost1.81-dev|libboost1.83-dev|libboost-dev' # Debian 12 has 1.74 as libboost-dev
    'qt6-base-dev' 'qt6-svg-dev|libqt6svg6-dev' 'qt6-tools-dev' 'qt6-tools-dev-tools' 'qt6-l10n-tools'
    'libqscintilla2-qt6-dev' 'libqcustomplot-dev'
    'nlohmann-json3-dev' 'libspdlog-dev' 'libcli11-dev' 'libexpected-dev' 'libtomlplusplus-dev'
    'libsqlite3-dev' 'libsqlitecpp-dev' 'libssl-dev' 'libzstd-dev' 'libsdbus-c++-dev'
    'libvalijson-dev' 'libtree-sitter-dev' 'libre2-dev'
    'docker.io|docker-ce' '?docker-cli' 'mmdebstrap' '?uidmap' 'procps' '?cgroupfs-mount' 'fonts-dejavu-core' 'fonts-noto-cjk' '?qt6-wayland'
)
readonly packages_test=(
    'busybox-static' 'clang-14' 'clang-format-14' 'libclang-rt-14-dev|libclang-common-14-dev' 'shellcheck' 'git' 'file'
    'xvfb' 'openbox' 'xdotool' 'imagemagick' 'python3' 'sqlite3' 'nodejs' 'dbus' 'dbus-daemon|dbus'
)

is_installed() { [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }
# No `| grep -q`: it leaves at the first match, and under pipefail the broken pipe of apt-cache is a "no".
is_available() { [[ $(apt-cache policy "$1" 2>/dev/null) =~ Candidate:\ [^\(] ]]; }

# Prints the package that answers to one row of the table, or nothing when it is installed already.
package_for() {
    local row=${1#\?} name
    local -a names
    IFS='|' read -ra names <<<"$row"
    for name in "${names[@]}"; do
        if is_installed "$name"; then return 0; fi
    done
    for name in "${names[@]}"; do
        if is_available "$name"; then
            echo "$name"
            return 0
        fi
    done
    if [[ $1 != \?* ]]; then
        echo "dev.sh: none of these packages is in this release: ${names[*]}" >&2
        return 1
    fi
}

# install_packages run|test
install_packages() {
    heading "Packages"
    command -v apt-get >/dev/null || die "there is no apt-get here; PACKAGING.md names the packages of other systems"
    local -a rows=("${packages_run[@]}") missing=()
    if [[ $1 == test ]]; then rows+=("${packages_test[@]}"); fi

    local row name lists_are_fresh=no
    for row in "${rows[@]}"; do
        if ! name=$(package_for "$row" 2>/dev/null) && [[ $lists_are_fresh == no ]]; then
            note "reading the package lists"
            as_root apt-get update -qq || note "the package lists could not all be read; going on with what is there"
            lists_are_fresh=yes
        fi
        name=$(package_for "$row")
        if [[ -n $name ]]; then missing+=("$name"); fi
    done
    if [[ ${#missing[@]} -eq 0 ]]; then
        note "everything is installed"
    else
        note "installing: ${missing[*]}"
        if [[ $lists_are_fresh == no ]]; then
            as_root apt-get update -qq || note "the package lists could not all be read; going on with what is there"
        fi
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
            -o Dpkg::Use-Pty=0 -q "${missing[@]}" | sed -un 's/^\(Unpacking\|Setting up\) /    &/p'
    fi
    use_npm
    if [[ $1 == test ]]; then use_node; fi
}

# The grammars of static analysis come from the npm registry. Not a row of the table: Node.js from elsewhere brings its own npm.
use_npm() {
    if command -v npm >/dev/null; then return; fi
    note "installing: npm"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends -q npm >/dev/null
}

# The MCP clients of the tests need Node.js 20. Older releases get it from the npm registry.
use_node() {
    local major=0
    if command -v node >/dev/null; then major=$(node -p 'process.versions.node.split(".")[0]'); fi
    if [[ $major -lt 20 ]]; then
        note "Node.js $major is too old for the MCP clients; taking version 20 from the npm registry"
        npm install --silent --no-audit --no-fund --prefix "$PWD/build/node" node@20
        export PATH="$PWD/build/node/node_modules/.bin:$PATH"
    fi
}

# build_preset PRESET [TARGET...]: configures when needed, builds with a line of progress now and then.
build_preset() {
    local preset=$1
    shift
    heading "Build: $preset${*:+ ($*)}"
    if [[ ! -f build/$preset/build.ninja ]]; then
        note "configuring"
        mkdir -p "build/$preset"
        cmake --preset "$preset" >"build/$preset/configure.log" 2>&1 || {
            tail -n 40 "build/$preset/configure.log" >&2
            die "preset $preset could not be configured (log: build/$preset/configure.log)"
        }
    fi
    local started=$SECONDS log=build/$preset/build.log
    local -a targets=()
    if [[ $# -gt 0 ]]; then targets=(--target "$@"); fi
    if ! NINJA_STATUS='[%f/%t] ' nice -n 5 cmake --build "build/$preset" "${targets[@]}" 2>&1 |
        tee "$log" | show_build_progress; then
        grep -nE -A12 'FAILED|error:|undefined reference' "$log" | head -n 80 >&2 || true
        die "preset $preset does not build (log: $log)"
    fi
    note "built in $((SECONDS - started)) s"
}

# One line of ninja's per tenth of the way.
show_build_progress() {
    awk '
        match($0, /^\[[0-9]+\/[0-9]+\]/) {
            split(substr($0, 2, RLENGTH - 2), at, "/")
            tenth = int(at[1] * 10 / at[2])
            if (tenth != last) { printf "    %s of %s steps\n", at[1], at[2]; fflush(); last = tenth }
        }'
}

engine_answers() { docker version --format '{{.Server.Version}}' >/dev/null 2>&1; }

start_engine() {
    heading "Docker Engine"
    if engine_answers; then
        note "version $(docker version --format '{{.Server.Version}}') answers"
        return
    fi
    local said
    said=$(docker version 2>&1 || true)
    if [[ $said == *"permission denied"* ]]; then
        cat >&2 <<TEXT
dev.sh: a Docker Engine runs, but the user $(id -un) may not use it. One of these:
    sudo usermod -aG docker $(id -un)      then log in again (members of this group can become root)
    dockerd-rootless-setuptool.sh install  an engine with your own rights (package docker-ce-rootless-extras)
    sudo packaging/dev.sh run              everything as root
TEXT
        exit 1
    fi
    if [[ -n ${DOCKER_HOST:-} ]]; then die "DOCKER_HOST is $DOCKER_HOST, and nothing answers there"; fi
    command -v dockerd >/dev/null || die "there is no dockerd; run: packaging/dev.sh deps"

    if [[ -d /run/systemd/system ]]; then
        note "starting the docker service"
        as_root systemctl start docker || true
    else
        note "starting dockerd (log: $engine_log)"
        start_dockerd
    fi
    if ! wait_for_engine; then
        # Where the kernel or the rights for a bridge are missing: a sandbox has no network anyway.
        note "it doesn't start; trying again without its network"
        start_dockerd --bridge=none --iptables=false --ip6tables=false
        wait_for_engine || {
            tail -n 20 "$engine_log" >&2 || true
            die "no Docker Engine answers after $engine_wait_seconds s (log: $engine_log)"
        }
    fi
    note "version $(docker version --format '{{.Server.Version}}') answers"
}

start_dockerd() {
    # Left by an engine that was killed: a process that has its number now would keep a new one from starting.
    if ! pgrep -x dockerd >/dev/null; then as_root rm -f /var/run/docker.pid; fi
    if ! mountpoint -q /sys/fs/cgroup && [[ -z $(findmnt -rn -t cgroup,cgroup2 -o TARGET) ]] && command -v cgroupfs-mount >/dev/null; then
        as_root cgroupfs-mount || true
    fi
    as_root sh -c "setsid dockerd $* >'$engine_log' 2>&1 </dev/null &"
}

# Waits until an engine answers, no longer than there is something to wait for.
wait_for_engine() {
    local until=$((SECONDS + engine_wait_seconds))
    while [[ $SECONDS -lt $until ]]; do
        if engine_answers; then return 0; fi
        read -rt 0.5 <> <(:) || true
        if [[ ! -d /run/systemd/system && $((until - SECONDS)) -lt $((engine_wait_seconds - 3)) ]] &&
            ! pgrep -x dockerd >/dev/null; then return 1; fi
    done
    return 1
}

# build_images PRESET: belljar leaves alone what is of the present recipe.
build_images() {
    heading "Sandbox images"
    "build/$1/bin/belljar" images build 2>&1 | sed -u 's/^/    /'
}

open_belljar() {
    if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]]; then
        heading "Belljar"
        note "opening the window; close it or press Ctrl+C to end"
        exec build/release/bin/belljar-desktop
    fi
    heading "Belljar, shown without a window"
    note "There is no display here (DISPLAY and WAYLAND_DISPLAY are empty), so instead of the window"
    note "three everyday programs are run through an MCP client and their results shown."
    use_node
    BELLJAR_BIN=$PWD/build/release/bin/belljar node tests/clients/demonstration.mjs
}

# Brings the files of translations in a folder up to date with the windows' source.
update_translations() {
    local folder=${1:-resources/i18n}
    local -a common=(-silent -no-obsolete -locations none -source-language en -extensions "cpp,h" -I . ui app/desktop)
    local lupdate
    lupdate=$(command -v /usr/lib/qt6/bin/lupdate || command -v lupdate6 || command -v lupdate) || die 'there is no lupdate (qt6-l10n-tools)'
    "$lupdate" "${common[@]}" -target-language zh_CN -ts "$folder/belljar_zh_CN.ts"
    "$lupdate" "${common[@]}" -pluralonly -target-language en -ts "$folder/belljar_en.ts"
}

# Every screen in both schemes and both languages, as PNG files that somebody has to look at.
take_screenshots() {
    local folder=$PWD/build/screenshots program language
    local -ar programs=(shots audit_shots policies_shots clients_shots runs_shots execution_shots sandboxes_shots)
    build_preset dev "${programs[@]}"
    heading 'Screenshots'
    for language in en zh_CN; do
        for program in "${programs[@]}"; do
            QT_QPA_PLATFORM=offscreen BELLJAR_DATA_DIR=$PWD/build/dev/share/belljar \
                "build/dev/tests/$program" "$folder/$language/${program%shots}" "$language" 2>/dev/null || die "$program failed"
        done
    done
    note "$(find "$folder" -name '*.png' | wc -l) pictures in $folder"
}
