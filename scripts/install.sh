#!/bin/bash
# install.sh PREFIX [DESTDIR]: copies build/stage below DESTDIR/PREFIX, and notes what it put there, for uninstall.sh.
set -eu
cd "$(dirname "$0")/.."
prefix=${2:-}/${1#/}
prefix=${prefix%/}
name=lib/xlatperf
note=$prefix/$name/installed

[[ ! -e $note ]] || scripts/uninstall.sh "$1" "${2:-}" >/dev/null
# What an earlier one left that was interrupted before it could note anything is only this folder.
rm -rf "${prefix:?}/$name"

new=()
while read -r folder; do
    [[ -d $prefix/$folder ]] || new+=("$folder/")
done < <(cd build/stage && find . -type d -printf '%P\n' | grep -v "^$name/" | sort)
mkdir -p "$prefix/$name"
{
    (cd build/stage && find . -type f -printf '%P\n' | grep -v "^$name/")
    printf '%s\n' "${new[@]}" | grep -v "^$name/$" || true
} >"$note"
cp -r --no-preserve=ownership build/stage/. "$prefix"
printf 'Installed: %s\n' "$prefix/bin/xlatperf"
case :$PATH: in
*:$1/bin:* | *:"$prefix/bin":*) ;;
*) printf 'Not on your PATH: %s\n' "$1/bin" ;;
esac
