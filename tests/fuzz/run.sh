#!/bin/bash
# Runs each fuzzer for so many seconds, or all for so many minutes: tests/fuzz/run.sh [SECONDS|MINUTESm, default 30] [NAME ...]
# Names are those below; cpp and python stand for all of them.
# Those of C++ are built by Meson (FUZZ_BUILD: in that folder), those of Python need Atheris. Each begins with its seeds, the corpus
# in the tree (corpus/NAME.tar.xz) and what earlier runs have found. The seed of chance is fixed, so a finding comes again.
# Fails on a finding, whose input is then beside the log.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:-30}
shift || true
cpp=(binding_table classifier messages neighbors reference)
python=(bench delays journal results softwires)
names=()
[[ $# -gt 0 ]] || set -- cpp python
for name in "$@"; do
    case $name in
        cpp) names+=("${cpp[@]}") ;;
        python) names+=("${python[@]}") ;;
        *) names+=("$name") ;;
    esac
done
[[ $seconds != *m ]] || seconds=$((60 * ${seconds%m} / ${#names[@]}))

build=${FUZZ_BUILD:-build-fuzz}
folder=$build/fuzz
interpreter=.venv/bin/python
options=("-max_total_time=$seconds" -seed=8219 -rss_limit_mb=2048 -print_final_stats=1)

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
            [[ $build != build-fuzz ]] || scripts/quietly.sh "Configuring the fuzzers" env CXX=clang++ scripts/configure.sh "$build" \
                -Db_sanitize=address,undefined -Db_lundef=false --buildtype=plain -Doptimization=2 -Dunity_size=30 -Dfuzzers=alone \
                -Dtests=disabled
            scripts/quietly.sh "Building the fuzzers" ninja -C "$build" fuzzers
            built=yes
        fi
    fi
done

failed=()
for name in "${names[@]}"; do
    mkdir -p "$folder/corpus/$name"
    [[ ! -f tests/fuzz/corpus/$name.tar.xz ]] || tar -xJf "tests/fuzz/corpus/$name.tar.xz" -C "$folder/corpus/$name" --skip-old-files
    if is_in "$name" "${cpp[@]}"; then
        [[ $built == yes ]] || continue
        run=("$build/tests/fuzz/$name-fuzzer" -timeout=10)
    else
        [[ $has_atheris == yes ]] || continue
        run=("$interpreter" -m tests.fuzz.reading "$name" -timeout=30 -max_len=60000)
    fi
    seeds=()
    for place in "tests/fuzz/seeds/$name" "$([[ $name != bench ]] || echo examples)"; do
        [[ ! -d $place ]] || seeds+=("$place")
    done
    own=("${options[@]}" "-artifact_prefix=$folder/$name-")
    [[ ! -f tests/fuzz/$name.dict ]] || own+=("-dict=tests/fuzz/$name.dict")
    if "${run[@]}" "${own[@]}" "$folder/corpus/$name" "${seeds[@]}" >"$folder/$name.log" 2>&1; then
        executed=$(sed -n 's/^stat::number_of_executed_units: *//p; s/^Done \([0-9]*\) runs.*/\1/p' "$folder/$name.log" | head -n 1)
        coverage=$(sed -n 's/.*DONE *cov: \([0-9]*\) .* corp: \([0-9]*\)\/.*/\1 edges, a corpus of \2/p' \
            "$folder/$name.log" | head -n 1)
        printf '%-14s %12s executions, %s\n' "$name" "$executed" "$coverage"
        echo "$name $executed" >>"$folder/executions"
    else
        tail -n 60 "$folder/$name.log"
        echo "$name: a finding, see $folder/$name-*"
        failed+=("$name")
    fi
done
awk '{ all += $2 } END { printf "%d executions in all runs of this folder\n", all }' "$folder/executions" 2>/dev/null || true
if [[ ${#failed[@]} -gt 0 ]]; then
    echo "failed: ${failed[*]}"
    exit 1
fi
