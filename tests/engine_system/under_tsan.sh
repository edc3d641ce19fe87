#!/bin/bash
# Trials by an engine that is built with ThreadSanitizer: under_tsan.sh ENGINE. Fails on a report, whose addresses are named by
# llvm-symbolizer: the engine can't start another program to do that itself.
set -euo pipefail
cd "$(dirname "$0")/../.."

engine=$(realpath "$1")
reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
# What DPDK's libraries write isn't looked at, as they aren't built so.
options="log_path=$reports/report exitcode=0 symbolize=0 ignore_noninstrumented_modules=1"
scripts/as-root.sh env "XLATPERF_ENGINE=$engine" "TSAN_OPTIONS=$options" .venv/bin/python -m pytest -q -n 4 --dist loadfile \
    tests/engine_system
found=$(cat "$reports"/* 2>/dev/null | grep -c '^WARNING: ThreadSanitizer' || true)
echo "$found reports of ThreadSanitizer about the engine"
if ((found > 0)); then
    cat "$reports"/* | awk '/^WARNING/ { n++ } n == 1' | head -n 40
    cat "$reports"/* | sed -n 's/^SUMMARY.*xlatperf-engine+\(0x[0-9a-f]*\)).*/\1/p' | sort | uniq -c | sort -rn |
        while read -r times address; do
            echo "$times times at $(llvm-symbolizer -p -s -e "$engine" "$address" 2>/dev/null | head -n 1 || echo "$address")"
        done
    exit 1
fi
