#!/bin/bash
# python-tests.sh WORKERS: so many files at a time, as most tests wait most of the time; then, by themselves, those whose result
# depends on how fast the machine is, or that set what the whole host shares.
#
# Tester, device and the other tests share a few cores: a test of a real device that failed beside the others gets a second try
# without them, as long as these are few. It is said, and one that fails again has failed.
set -u
workers=$1
most_again=3
failed_last=.pytest_cache/v/cache/lastfailed
pytest() { scripts/as-root.sh .venv/bin/python -m pytest "$@"; }

rm -f "$failed_last" 2>/dev/null || scripts/as-root.sh rm -f "$failed_last"
pytest -n "$workers" --dist loadfile -m 'not alone'
status=$?
if ((status == 1)); then
    mapfile -t failed < <(.venv/bin/python -c 'import json, sys; print(*json.load(open(sys.argv[1])), sep="\n")' "$failed_last")
    of_devices=$(printf '%s\n' "${failed[@]}" | grep -cE '^tests/(engine_)?system/.*::')
    if ((${#failed[@]} > 0 && ${#failed[@]} <= most_again && of_devices == ${#failed[@]})); then
        printf 'Failed beside the others, now by themselves: %s\n' "${failed[*]}"
        pytest "${failed[@]}"
        status=$?
        ((status == 0)) && printf 'passed by themselves: %d failed beside the others\n' "${#failed[@]}"
    fi
fi
((status == 0)) || exit "$status"

mapfile -t alone < <(grep -rlE 'mark\.alone' tests --include='*.py')
pytest -m alone "${alone[@]}"
