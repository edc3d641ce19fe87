#!/bin/bash
# quietly.sh TEXT COMMAND...: says TEXT, runs COMMAND, and shows what COMMAND wrote only if it failed.
set -u
text=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
started=$SECONDS
printf '%s ...\n' "$text"
"$@" >"$log" 2>&1
status=$?
if ((status != 0)); then
    cat "$log"
    printf '%s: failed after %d s (status %d): %s\n' "$text" "$((SECONDS - started))" "$status" "$*"
    exit "$status"
fi
if ((SECONDS - started > 2)); then
    printf '%s: done in %d s\n' "$text" "$((SECONDS - started))"
fi
