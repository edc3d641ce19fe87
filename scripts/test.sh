#!/bin/bash
# test.sh [times]: all of `make test`, step by step, builds first; with `times` a table of where the time went.
set -u
times=${1:-}
export PYTEST_ADDOPTS=${PYTEST_ADDOPTS:-}
if [[ -n $times ]]; then PYTEST_ADDOPTS+=' -p tests.times --durations=15'; fi

names=() seconds=() status=0
step() { # NAME OPTION|TARGET...
    local started=$SECONDS
    make --no-print-directory "${@:2}" || status=$?
    names+=("$1")
    seconds+=($((SECONDS - started)))
    return "$status"
}

# What the network brings comes while the compiler works.
step 'installation, engine and reference device, Python' -j 2 build .venv/.dev &&
    step 'virtual machine' machine &&
    step 'C++ unit tests with sanitizers' asan &&
    step 'fuzzers' fuzz-short &&
    step 'pytest' python-test

if [[ -n $times ]]; then
    printf '\n%-52s %7s\n' step seconds
    for i in "${!names[@]}"; do printf '%-52s %7d\n' "${names[$i]}" "${seconds[$i]}"; done
    printf '%-52s %7d\n' 'all' "$SECONDS"
fi
exit "$status"
