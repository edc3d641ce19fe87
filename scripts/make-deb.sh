#!/bin/bash
# make-deb.sh: build/xlatperf_VERSION_ARCHITECTURE.deb from build/stage, for the release of Debian that this is made on.
#
# Each release has its own DPDK and Python, so each has its own package; its number stands in the version, and is greater in the
# next release.
set -eu
cd "$(dirname "$0")/.."

# shellcheck source=/dev/null
release=$(. /etc/os-release && echo "${VERSION_ID:-0}")
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' pyproject.toml)+deb$release
folder=build/deb
rm -rf "$folder" build/xlatperf_*.deb
mkdir -p "$folder"
cp -r packaging/debian "$folder/debian"
printf 'xlatperf (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' "$version" \
    "$(sed -n 's/^Maintainer: //p' packaging/debian/control)" "$(date -R -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}")" >"$folder/debian/changelog"
(
    cd "$folder"
    dpkg-checkbuilddeps
    ../../scripts/quietly.sh "Packing" env LC_ALL=C.UTF-8 debian/rules binary
)
rm -rf "$folder"
echo "$PWD"/build/xlatperf_*.deb
