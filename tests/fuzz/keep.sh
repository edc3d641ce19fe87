#!/bin/bash
# Keeps in the tree what the fuzzers have found in build-fuzz/fuzz/corpus: tests/fuzz/keep.sh NAME ...
# Of those of C++ only the fewest inputs that reach as much; Atheris can't choose them.
set -euo pipefail
cd "$(dirname "$0")/../.."

kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
mkdir -p tests/fuzz/corpus
for name in "$@"; do
    found=build-fuzz/fuzz/corpus/$name
    if [[ -x build-fuzz/tests/fuzz/$name-fuzzer ]]; then
        found=$kept/$name
        mkdir "$found"
        if ! "build-fuzz/tests/fuzz/$name-fuzzer" -merge=1 "$found" "build-fuzz/fuzz/corpus/$name" >"$kept/log" 2>&1; then
            tail -n 20 "$kept/log"
            exit 1
        fi
    fi
    inputs=$(find "$found" -type f | wc -l)
    ((inputs > 0)) || { echo "$name: nothing to keep: tests/fuzz/run.sh 60 $name finds some"; exit 1; }
    archive=tests/fuzz/corpus/$name.tar.xz
    find "$found" -type f -printf '%P\0' | sort -z |
        tar -C "$found" --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=0644 --null -T - -cJf "$archive"
    printf '%-14s %6d inputs kept, %d octets\n' "$name" "$inputs" "$(stat -c %s "$archive")"
done
