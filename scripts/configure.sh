#!/bin/bash
# configure.sh FOLDER OPTION...: meson setup, unless FOLDER is set up already (Ninja repeats it when meson.build changes).
set -eu
folder=$1
shift
if [[ -f $folder/build.ninja ]]; then
    exit 0
fi
rm -rf "$folder"
exec meson setup "$folder" "$@"
