# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks of the source text: each prints what it found and counts as one test.

# check NAME COMMAND...: passes when the command prints nothing and ends with 0.
check() {
    local name=$1 found
    shift
    if found=$("$@" 2>&1) && [[ -z $found ]]; then
        printf '    ok    %s\n' "$name"
        count 1 0
    else
        printf '    FAIL  %s\n' "$name"
        head -n 40 <<<"$found"
        count 0 1
    fi
}

sources() { git ls-files -- 'app/*.cpp' 'app/*.h' 'engine/*.cpp' 'engine/*.h' 'ui/*.cpp' 'ui/*.h' 'tests/*.cpp' 'tests/*.h'; }

# lines_with PATTERN PATH...: prints the lines that match; none is a success.
lines_with() {
    local pattern=$1
    shift
    local -a files=()
    mapfile -t files < <(git ls-files -- "$@")
    if [[ ${#files[@]} -eq 0 ]]; then return 0; fi
    grep -nHE "$pattern" "${files[@]}" || [[ $? -eq 1 ]]
}

check_format() {
    local -a files=()
    mapfile -t files < <(sources)
    clang-format-14 --dry-run --Werror "${files[@]}"
}

# GCC 12.2 destroys some temporaries of a co_await expression twice (STYLE.md section 7, rule 3).
check_coroutine_trap() {
    lines_with 'co_await[^;]*[(,] *(\{|[A-Z][A-Za-z0-9_:]*\{|\[[^]&])' 'engine/*' 'app/*'
}

check_engine_without_qt() { lines_with '#include *[<"](Q[A-Z]|Qsci|qt)' 'engine/*' 'app/cli/*'; }
check_engine_without_ui() { lines_with '#include *"(ui|app)/' 'engine/*'; }

# The engine's face to the windows: commands, events and the values in them.
check_ui_reaches_engine_by_its_face() {
    lines_with '#include *"engine/' 'ui/*' |
        grep -vE '"engine/(engine|events)\.h"|"engine/execution/(execution|files)\.h"|"engine/(analysis/(finding|report_json)|policy/(policy|policies|units)|approval/approval|clients/(configurations|diff)|audit/(entry|log_reader|verifier))\.h"|"engine/store/(history_reader|run_filter|run_search)\.h"|"engine/base/[a-z0-9_]+\.h"' ||
        [[ $? -eq 1 ]]
}
check_runner_alone() { lines_with '#include *"(engine/[^r]|engine/r[^u]|ui/|app/)' 'engine/runner/*'; }
check_runner_shares_frame_only() {
    lines_with '#include *"engine/runner/' 'engine/*' 'app/*' 'ui/*' |
        grep -vE '^engine/runner/|engine/runner/frame\.h"' || [[ $? -eq 1 ]]
}
check_no_detached() { lines_with 'asio::detached' 'engine/*' 'app/*'; }
check_licence_headers() {
    local file
    while read -r file; do
        head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || echo "$file: no SPDX licence header"
    done < <(sources; git ls-files -- '*.sh' '*.cmake' '*CMakeLists.txt' '*.mjs' 'packaging/dev.sh' '.ci/run')
}
# Every text of the windows stands in the files of translations, and has a translation there.
check_translations() {
    local folder file
    folder=$(mktemp -d)
    cp resources/i18n/*.ts "$folder"
    update_translations "$folder" >"$folder/log" 2>&1 || cat "$folder/log"
    for file in resources/i18n/*.ts; do
        cmp -s "$file" "$folder/${file##*/}" || echo "$file is behind the source: packaging/dev.sh translations"
        grep -Hn -m 5 'type="\(unfinished\|vanished\|obsolete\)"' "$folder/${file##*/}" || [[ $? -eq 1 ]]
    done
    rm -r "$folder"
}
check_shell_scripts() {
    local -a files=()
    mapfile -t files < <(git ls-files -- '*.sh' '.ci/run')
    shellcheck -x "${files[@]}"
}

run_checks() {
    heading "Checks of the source text"
    check 'the source is formatted' check_format
    check 'no temporary that GCC 12 destroys twice in co_await' check_coroutine_trap
    check 'engine and command line are free of Qt' check_engine_without_qt
    check 'the engine includes nothing of the windows' check_engine_without_ui
    check 'the windows reach the engine by its face alone' check_ui_reaches_engine_by_its_face
    check 'the runner stands alone' check_runner_alone
    check 'the runner shares its frame header alone' check_runner_shares_frame_only
    check 'no coroutine is detached' check_no_detached
    check 'every source names its licence' check_licence_headers
    check 'every text is translated' check_translations
    check 'shell scripts pass shellcheck' check_shell_scripts
}
