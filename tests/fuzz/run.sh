#!/bin/bash
# Runs each fuzzer for so many seconds, or all for so many minutes: tests/fuzz/run.sh [SECONDS|MINUTESm, default 30] [NAME ...]
# Names are those below; cpp and python stand for all of them; 0 seconds: only what is kept, each input once.
# FUZZ_JOBS: so many at a time. FUZZ_SANITIZERS=none: those of C++ without sanitizers, which is four times as fast, and then what
# they have kept once with them.
# Those of C++ are built by Meson (FUZZ_BUILD: in that folder), those of Python need Atheris. Each begins with its seeds, the corpus
# in the tree (corpus/NAME.tar.xz, by keep.sh) and what earlier runs have found.
# Fails on a finding, whose input is then beside the log.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:-30}
shift || true
jobs=${FUZZ_JOBS:-1}
cpp=(binding_table classifier messages neighbors reference)
python=(bench delays imports journal packets results softwires)
names=()
[[ $# -gt 0 ]] || set -- cpp python
for name in "$@"; do
    case $name in
        cpp) names+=("${cpp[@]}") ;;
        python) names+=("${python[@]}") ;;
        *) names+=("$name") ;;
    esac
done
[[ $seconds != *m ]] || seconds=$((60 * ${seconds%m} * jobs / ${#names[@]}))

build=${FUZZ_BUILD:-build-fuzz}
folder=$build/fuzz
interpreter=.venv/bin/python

is_in() { [[ " ${*:2} " == *" $1 "* ]]; }

# All that clang++ needs for it is there, or it's said what isn't.
can_build() {
    if ! command -v clang++ >/dev/null; then
        echo "SKIPPED ${cpp[*]}: these fuzzers need clang++, which isn't installed"
        return 1
    fi
    if ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
        clang++ -x c++ -fsanitize=fuzzer,address,undefined -o /dev/null - 2>/dev/null; then
        echo "SKIPPED ${cpp[*]}: clang++ has no libFuzzer and sanitizers: on Debian the package libclang-rt-dev"
        return 1
    fi
}

build_fuzzers() { # FOLDER SANITIZERS
    # Another folder of the caller's is set up by the caller.
    [[ $1 != build-fuzz* ]] || scripts/quietly.sh "Configuring the fuzzers" env CXX=clang++ scripts/configure.sh "$1" \
        "-Db_sanitize=$2" -Db_lundef=false --buildtype=plain -Doptimization=2 -Dunity_size=30 -Dfuzzers=alone -Dtests=disabled
    scripts/quietly.sh "Building the fuzzers" ninja -C "$1" fuzzers
}

for name in "${names[@]}"; do
    is_in "$name" "${cpp[@]}" "${python[@]}" || { echo "$name: no such fuzzer: ${cpp[*]} ${python[*]}"; exit 2; }
done
built=no has_atheris=unknown
for name in "${names[@]}"; do
    if [[ $has_atheris == unknown ]] && is_in "$name" "${python[@]}"; then
        has_atheris=yes
        if ! "$interpreter" -c 'import atheris' 2>/dev/null; then
            has_atheris=no
            echo "SKIPPED ${python[*]}: these fuzzers need the Python package atheris, which isn't installed in .venv"
        fi
    fi
    if [[ $built == no ]] && is_in "$name" "${cpp[@]}"; then
        built=skipped
        if can_build; then
            build_fuzzers "$build" address,undefined
            [[ ${FUZZ_SANITIZERS:-} != none ]] || build_fuzzers build-fuzz-plain none
            built=yes
        fi
    fi
done

# Its executions in all runs of this folder.
executed_before() { # NAME
    awk -v name="$1" '$1 == name { all += $2 } END { print all + 0 }' "$folder/executions" 2>/dev/null || echo 0
}

fuzz() { # NAME SECONDS SANITIZERS COMMAND...
    # The first run is the same everywhere; a later one doesn't repeat it.
    local name=$1 seed=$(((8219 + $(executed_before "$1")) % 2147483647))
    local options=("-max_total_time=$2" "-seed=$seed" -rss_limit_mb=2048 -print_final_stats=1 "-artifact_prefix=$folder/$1-")
    # What libFuzzer reckons of rare features takes most of the time of a fuzzer that is as fast as these.
    ! is_in "$name" "${cpp[@]}" || options+=(-entropic=0)
    [[ $2 != 0 ]] || options+=(-runs=0)
    [[ ! -f tests/fuzz/$name.dict ]] || options+=("-dict=tests/fuzz/$name.dict")
    local place seeds=()
    for place in "tests/fuzz/seeds/$name" "$([[ $name != bench ]] || echo examples)"; do
        [[ ! -d $place ]] || seeds+=("$place")
    done
    if "${@:4}" "${options[@]}" "$folder/corpus/$name" "${seeds[@]}" >"$folder/$name.log" 2>&1; then
        local executed coverage
        executed=$(sed -n 's/^stat::number_of_executed_units: *//p; s/^Done \([0-9]*\) runs.*/\1/p' "$folder/$name.log" | head -n 1)
        coverage=$(sed -n 's/.*DONE *cov: \([0-9]*\) .* corp: \([0-9]*\)\/.*/\1 edges, a corpus of \2/p' \
            "$folder/$name.log" | head -n 1)
        printf '%-14s %12s executions, %s\n' "$name" "$executed" "$coverage"
        echo "$name $executed $3" >>"$folder/executions"
    else
        printf '%s\n%s: a finding, see %s\n' "$(tail -n 60 "$folder/$name.log")" "$name" "$folder/$name-*"
        echo "$name" >>"$folder/failed"
    fi
}

one() { # NAME
    mkdir -p "$folder/corpus/$1"
    [[ ! -f tests/fuzz/corpus/$1.tar.xz ]] || tar -xJf "tests/fuzz/corpus/$1.tar.xz" -C "$folder/corpus/$1" --skip-old-files
    if ! is_in "$1" "${cpp[@]}"; then
        [[ $has_atheris != yes ]] || fuzz "$1" "$seconds" - "$interpreter" -m tests.fuzz.reading "$1" "$files/$1" -timeout=30 -max_len=60000
    elif [[ $built == yes && ${FUZZ_SANITIZERS:-} == none ]]; then
        fuzz "$1" "$seconds" without "build-fuzz-plain/tests/fuzz/$1-fuzzer" -timeout=10
        fuzz "$1" 0 with "$build/tests/fuzz/$1-fuzzer" -timeout=10
    elif [[ $built == yes ]]; then
        fuzz "$1" "$seconds" with "$build/tests/fuzz/$1-fuzzer" -timeout=10
    fi
}

mkdir -p "$folder"
rm -f "$folder/failed"
# Of those of Python, which libFuzzer ends without a word; in memory, where there is some.
files=$(mktemp -d -p "$([[ -w /dev/shm ]] && echo /dev/shm || echo "${TMPDIR:-/tmp}")" xlatperf-fuzz-XXXXXX)
trap 'rm -rf "$files"' EXIT
for name in "${names[@]}"; do
    while (($(jobs -pr | wc -l) >= jobs)); do wait -n; done
    one "$name" &
done
wait
awk '{ all += $2; without += $3 == "without" ? $2 : 0 }
     END { printf "%d executions in all runs of this folder, %d of them without sanitizers\n", all, without }' \
    "$folder/executions" 2>/dev/null || true
if [[ -f $folder/failed ]]; then
    echo "failed: $(tr '\n' ' ' <"$folder/failed")"
    exit 1
fi
