#!/bin/bash
# Keeps in the tree, of what the fuzzers have found in build-fuzz/fuzz/corpus, the fewest inputs that reach as much:
# tests/fuzz/keep.sh NAME ...
set -euo pipefail
cd "$(dirname "$0")/../.."

for name in "$@"; do
    if [[ -x build-fuzz/tests/fuzz/$name-fuzzer ]]; then
        run=("build-fuzz/tests/fuzz/$name-fuzzer")
    else
        run=(.venv/bin/python -m tests.fuzz.reading "$name" -max_len=60000)
    fi
    kept=$(mktemp -d)
    trap 'rm -rf "$kept"' EXIT
    if ! "${run[@]}" -merge=1 "$kept" "build-fuzz/fuzz/corpus/$name" >"build-fuzz/fuzz/$name.log" 2>&1; then
        tail -n 20 "build-fuzz/fuzz/$name.log"
        exit 1
    fi
    mkdir -p tests/fuzz/corpus
    find "$kept" -type f -printf '%P\0' | sort -z |
        tar -C "$kept" --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=0644 --null -T - -cJf "tests/fuzz/corpus/$name.tar.xz"
    printf '%-14s %6d inputs kept, %d octets\n' "$name" "$(find "$kept" -type f | wc -l)" "$(stat -c %s "tests/fuzz/corpus/$name.tar.xz")"
    rm -rf "$kept"
done
