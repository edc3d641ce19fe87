#!/bin/bash
# configure.sh FOLDER OPTION...: meson setup, unless FOLDER is set up so already (Ninja repeats it when meson.build changes).
set -eu
folder=$1
shift
asked=$folder/xlatperf-options
if [[ -f $folder/build.ninja && $(cat "$asked" 2>/dev/null) == "$*" ]]; then
    exit 0
fi
rm -rf "$folder"
meson setup "$folder" "$@"
echo "$*" >"$asked"
