#!/bin/bash
# Builds the fuzzers out of tree and runs each for a while: tests/fuzz/run.sh [seconds, default 30] [name ...]
# The seed is fixed, so a finding comes again. Fails on a finding, whose input is then beside the program.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:-30}
shift || true
names=("$@")
[[ ${#names[@]} -gt 0 ]] || names=(binding_table classifier neighbors messages reference)

compiler=$(command -v clang++ || true)
if [[ -z $compiler ]]; then
    echo "SKIPPED: the fuzzers need clang++, which isn't installed"
    exit 0
fi

if ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    "$compiler" -x c++ -fsanitize=fuzzer,address,undefined -o /dev/null - 2>/dev/null; then
    echo "SKIPPED: clang++ has no libFuzzer and sanitizers: on Debian the package libclang-rt-14-dev"
    exit 0
fi

folder=${FUZZ_FOLDER:-${TMPDIR:-/tmp}/xlatperf-fuzz}
mkdir -p "$folder"

read -ra dpdk <<<"$(pkg-config --cflags libdpdk | sed "s/-I/-isystem/g")"  # their warnings are not ours
sanitizers=fuzzer,address,undefined
flags=(-std=c++20 -O1 -g -fno-omit-frame-pointer "-fsanitize=$sanitizers" -fno-sanitize-recover=undefined
    -Wno-unused-command-line-argument)
wire=(engine/wire/*.cpp)
frames=(engine/message/*.cpp engine/technology/*.cpp engine/flow/*.cpp engine/frame/*.cpp)

sources_of() {
    includes=(-Iengine -Itests/engine)
    case $1 in
        binding_table) sources=("${wire[@]}" engine/technology/binding_table.cpp) ;;
        classifier) sources=("${wire[@]}" "${frames[@]}") ;;
        neighbors) sources=("${wire[@]}" engine/port/neighbors.cpp) ;;
        messages)
            sources=("${wire[@]}" "${frames[@]}" engine/port/neighbors.cpp engine/trial/configuration.cpp engine/trial/streams.cpp
                engine/control/*_fields.cpp engine/control/requests.cpp engine/eal/cpus.cpp)
            ;;
        reference)
            includes=(-Ireference -Iengine)
            sources=("${wire[@]}" engine/message/*.cpp reference/{control,gateway,impair,nat,technologies,translate}/*.cpp)
            ;;
        *)
            echo "$1: no such fuzzer: binding_table, classifier, neighbors, messages or reference"
            exit 2
            ;;
    esac
}

failed=()
for name in "${names[@]}"; do
    sources_of "$name"
    echo "$name: building"
    "$compiler" "${flags[@]}" "${includes[@]}" "${dpdk[@]}" "tests/fuzz/${name}_fuzzer.cpp" "${sources[@]}" -o "$folder/$name"
    mkdir -p "$folder/corpus/$name"
    options=("-max_total_time=$seconds" -seed=8219 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0
        "-artifact_prefix=$folder/$name-")
    [[ ! -f tests/fuzz/$name.dict ]] || options+=("-dict=tests/fuzz/$name.dict")
    seeds=()
    [[ ! -d tests/fuzz/seeds/$name ]] || seeds=("tests/fuzz/seeds/$name")
    echo "$name: running for $seconds s"
    if "$folder/$name" "${options[@]}" "$folder/corpus/$name" "${seeds[@]}" >"$folder/$name.log" 2>&1; then
        grep -E 'number_of_executed_units|new_units_added' "$folder/$name.log" | sed "s/^/$name: /"
    else
        tail -n 60 "$folder/$name.log"
        echo "$name: a finding, see $folder/$name-*"
        failed+=("$name")
    fi
done
if [[ ${#failed[@]} -gt 0 ]]; then
    echo "failed: ${failed[*]}"
    exit 1
fi
