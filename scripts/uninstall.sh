#!/bin/bash
# uninstall.sh PREFIX [DESTDIR]: removes what install.sh noted, and the folders that it made if nothing else is in them.
set -eu
prefix=${2:-}/${1#/}
prefix=${prefix%/}
packages=$prefix/lib/xlatperf
note=$packages/installed
if [[ ! -e $note ]]; then
    echo "xlatperf isn't installed below ${prefix:-/}: there is no $note"
    exit 1
fi
made=()
while IFS= read -r one; do
    if [[ $one == */ ]]; then made+=("$one"); else rm -f "$prefix/$one"; fi
done <"$note"
rm -rf "${packages:?}"
for ((i = ${#made[@]} - 1; i >= 0; i--)); do
    rmdir --ignore-fail-on-non-empty "$prefix/${made[i]}" 2>/dev/null || true
done
echo "Removed from ${prefix:-/}"
