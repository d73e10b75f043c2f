# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The test stages of dev.sh. Each adds what passed and failed; a failure doesn't keep the next stage from running.

readonly counts_file=build/test-counts
current_stage=none

# count PASSED FAILED: adds to the stage that runs. A file, since stages run in subshells.
count() { echo "$current_stage $1 $2" >>"$counts_file"; }

# counted COLUMN [STAGE]: the sum of passed (2) or failed (3) so far.
counted() {
    awk -v column="$1" -v stage="${2:-}" '
        stage == "" || $1 == stage { sum += $column }
        END { print sum + 0 }' "$counts_file"
}

# stage NAME FUNCTION: notes the time; a stage that breaks off counts as a failure and the next one runs.
stage() {
    local started=$SECONDS status=0
    current_stage=$1
    # Not in a condition: errexit has to hold inside.
    set +e
    (
        set -e
        "$2"
    )
    status=$?
    set -e
    if [[ $status -ne 0 && $(counted 3 "$1") -eq 0 ]]; then
        printf '    FAIL  %s broke off (status %s)\n' "$1" "$status"
        count 0 1
    fi
    printf '%5d s  %-16s %5d passed, %d failed\n' $((SECONDS - started)) "$1" "$(counted 2 "$1")" "$(counted 3 "$1")" >>build/test-stages
}

# ctest_counts LOG: prints passed and failed: every Qt Test function counts; a test program that crashed, hung or said nothing counts as one.
# Skipped functions are failures: what can't run here can't be called tested.
ctest_counts() {
    awk '
        match($0, /^[0-9]+: /) {
            id = substr($0, 1, RLENGTH - 2)
            line = substr($0, RLENGTH + 1)
            if (match(line, /^Totals: [0-9]+ passed, [0-9]+ failed, [0-9]+ skipped/)) {
                split(line, word, /[ ,]+/)
                passed += word[2]; failed += word[4] + word[6]
                said[id] = 1; bad[id] += word[4] + word[6]
            }
        }
        match($0, /Test +#[0-9]+: /) {
            id = substr($0, RSTART, RLENGTH)
            gsub(/[^0-9]/, "", id)
            if ($0 ~ / Passed +[0-9.]+ sec/) { if (!said[id]) passed++ }
            else if ($0 ~ /\*\*\*/ && !bad[id]) failed++
        }
        END { print passed + 0, failed + 0 }' "$1"
}

# run_ctest PRESET [CTEST ARGUMENT...]
run_ctest() {
    local preset=$1 log=build/$1/ctest.log
    shift
    heading "Tests: $preset"
    local status=0
    ctest --preset "$preset" --verbose "$@" >"$log" 2>&1 || status=$?
    sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: /    /p' "$log"
    grep -E '^[0-9]+: (FAIL!|XPASS|SKIP|QFATAL)' -A4 "$log" | head -n 120 || true
    if [[ $status -ne 0 ]]; then
        grep -nE 'ERROR: (Address|Leak|Thread)Sanitizer|runtime error:|WARNING: ThreadSanitizer' -A25 "$log" | head -n 120 || true
    fi
    local good bad
    read -r good bad < <(ctest_counts "$log")
    if [[ $status -ne 0 && $bad -eq 0 ]]; then bad=1; fi
    count "$good" "$bad"
}

# Names of the tests of a preset that carry a label; a test has its target's name.
labelled_tests() { ctest --test-dir "build/$1" -N -L "^$2\$" | sed -n 's/^ *Test *#[0-9]*: //p'; }

test_dev() {
    build_preset dev
    run_ctest dev
}
# The runner is never instrumented, and building images is not ours to check for memory faults: those two take long.
test_asan() {
    configure_only asan
    local -a targets=()
    mapfile -t targets < <({ labelled_tests asan unit; labelled_tests asan docker; } | grep -vE 'tst_runner|tst_image_builder')
    build_preset asan "${targets[@]}"
    local names
    names=$(IFS='|'; echo "${targets[*]}")
    run_ctest asan -R "^($names)\$"
}
test_tsan() {
    configure_only tsan
    local -a targets=()
    mapfile -t targets < <(labelled_tests tsan threads)
    if [[ ${#targets[@]} -eq 0 ]]; then die "no test carries the label threads"; fi
    build_preset tsan "${targets[@]}"
    run_ctest tsan
}
test_clang() {
    command -v clang++-14 >/dev/null || die "clang++-14 is missing"
    build_preset clang belljar belljar-desktop
    count 1 0
}
test_fuzz() {
    configure_only fuzz
    local -a targets=()
    mapfile -t targets < <(labelled_tests fuzz fuzz)
    if [[ ${#targets[@]} -eq 0 ]]; then die "there is no fuzz target"; fi
    build_preset fuzz "${targets[@]}"
    run_ctest fuzz
}
configure_only() {
    if [[ -f build/$1/build.ninja ]]; then return; fi
    mkdir -p "build/$1"
    cmake --preset "$1" >"build/$1/configure.log" 2>&1 || {
        tail -n 40 "build/$1/configure.log" >&2
        die "preset $1 could not be configured"
    }
}

prepare_release() {
    build_preset release belljar belljar-desktop belljar_runner belljar_bench_decision belljar_bench_http belljar-conformance
    build_images release
    local language
    for language in python javascript bash; do
        if docker image inspect "belljar/$language" >/dev/null; then count 1 0; else count 0 1; fi
    done
    heading "MCP clients"
    (cd tests/clients && npm ci --silent --no-audit --no-fund)
    (cd tests/conformance && npm ci --silent --no-audit --no-fund)
}

# count_node LOG: the closing lines of node's test runner. Skipped and unfinished tests are failures.
count_node() {
    local good bad
    good=$(awk '/^# pass /{n += $3} END{print n + 0}' "$1")
    bad=$(awk '/^# (fail|cancelled|skipped|todo) /{n += $3} END{print n + 0}' "$1")
    if [[ $((good + bad)) -eq 0 ]]; then bad=1; fi
    count "$good" "$bad"
}

test_clients() {
    heading "Tests: real MCP clients over belljar stdio"
    export BELLJAR_BIN=$PWD/build/release/bin/belljar
    local log=build/clients.log
    (cd tests/clients && npm test --silent) >"$log" 2>&1 || true
    grep -E '^ *(not ok|ok) ' "$log" | grep -v '^ok' | sed 's/^/    /' | head -n 300 || true
    if grep -q '^ *not ok' "$log"; then grep -E '^ *not ok' -A22 "$log" | head -n 300 || true; fi
    count_node "$log"
}

# Its last line is 'N passed, N failed'.
count_summary() {
    local line
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$1" | tail -n 1)
    if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        count "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
    else
        tail -n 20 "$1"
        count 0 1
    fi
}

test_conformance() {
    heading "Tests: the official MCP conformance suite"
    export BELLJAR_BIN=$PWD/build/release/bin/belljar
    node tests/conformance/run.mjs build/release/bin/belljar-conformance 2>&1 | tee build/conformance.log | sed -u 's/^/    /' || true
    count_summary build/conformance.log
}

test_security() {
    heading "Tests: attack corpus"
    export BELLJAR_BIN=$PWD/build/release/bin/belljar
    node tests/security/run.mjs 2>&1 | tee build/security.log | sed -u 's/^/    /' || true
    count_summary build/security.log
}

test_bench() {
    heading "Measurements"
    export BELLJAR_BIN=$PWD/build/release/bin/belljar
    node tests/bench/bench.mjs 2>&1 | tee build/bench.log | sed -u 's/^/    /' || true
    count_summary build/bench.log
}

check_shared_folder() {
    local part
    for part in attacks cases programs mcp/schema; do
        [[ -d ../shared/$part ]] || die "the tests read $(cd .. && pwd)/shared/$part, which is missing"
    done
}

run_all_tests() {
    export BELLJAR_REQUIRE_DOCKER=1
    mkdir -p build
    check_shared_folder
    install_packages test
    start_engine

    : >"$counts_file"
    : >build/test-stages
    stage source-text run_checks
    stage release prepare_release
    stage clients test_clients
    stage conformance test_conformance
    stage attacks test_security
    stage measurements test_bench
    stage gcc test_dev
    stage clang test_clang
    report_stages
}

# The instrumented builds: each takes minutes to compile, so they are a step of their own.
run_sanitizers() {
    export BELLJAR_REQUIRE_DOCKER=1
    mkdir -p build
    install_packages test
    start_engine

    : >"$counts_file"
    : >build/test-stages
    stage asan test_asan
    stage tsan test_tsan
    stage fuzz test_fuzz
    report_stages
}

report_stages() {
    heading "Stages"
    sed 's/^/    /' build/test-stages
    printf '\n%s passed, %s failed\n' "$(counted 2)" "$(counted 3)"
    [[ $(counted 3) -eq 0 ]]
}
