#!/bin/bash
# try-package.sh SUITE: whether the package does on a bare Debian (bookworm, trixie) what it shall. As root.
#
# That of `make deb` if this host has that release; else one that is made there, from a copy of the sources.
#
# A root of its own (debootstrap, kept in build/roots/ as an archive), in namespaces of its own for mounts and processes, which end
# with it. In it: installed by apt, called, a campaign with the reference device up to its report, removed; and what is left then.
# shellcheck disable=SC2016
set -eu
cd "$(dirname "$0")/.."
suite=$1
# shellcheck source=/dev/null
here=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
((EUID == 0)) || { echo "Only root can make a root for a bare Debian: not tried"; exit 1; }
scripts/install-dependencies.sh bare
roots=$PWD/build/roots
packages=$PWD/build/packages/$suite
base=$roots/$suite.tar
mkdir -p "$roots" "$packages"
rm -f "$packages"/*

# The archive that this host has its own packages from.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | grep -v security | head -1)
if [[ ! -f $base ]]; then
    rm -rf "$roots/$suite.new"
    scripts/quietly.sh "Making a bare root of $suite" debootstrap --variant=minbase "$suite" "$roots/$suite.new" "$mirror"
    rm -f "$roots/$suite.new"/var/cache/apt/archives/*.deb
    tar -C "$roots/$suite.new" -cf "$base.new" .
    rm -rf "$roots/$suite.new"
    mv "$base.new" "$base"
fi

root=$roots/$suite.root
fresh() {
    rm -rf "$root"
    mkdir "$root"
    tar -C "$root" -xf "$base"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
}
in_it() { # COMMANDS of a shell
    unshare --mount --pid --fork --kill-child sh -ec '
        root=$1; shift
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        mount -t tmpfs tmpfs "$root/run"
        mount --bind /dev "$root/dev"
        exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
            DEBIAN_FRONTEND=noninteractive \
            sh -exc "$1"
    ' sh "$root" "$1"
}
step() { # TEXT COMMANDS
    local started=$SECONDS
    printf '%s ...\n' "$1"
    in_it "$2" >"$packages/log" 2>&1 || { cat "$packages/log"; echo "$suite: failed: $1"; exit 1; }
    printf '%s: %d s\n' "$1" "$((SECONDS - started))"
}
finish() { rm -rf "$root"; }
trap finish EXIT

if [[ $suite != "$here" ]]; then
    fresh
    mkdir "$root/sources"
    git -c 'safe.directory=*' ls-files --cached --others --exclude-standard -z | tar -c --null -T - | tar -x -C "$root/sources"
    # For pip, if this host has some of its own.
    mkdir "$root/trusted"
    cat /etc/ssl/certs/ca-certificates.crt >"$root/trusted/certificates" 2>/dev/null || true
    if [[ -f /etc/pip.conf ]]; then cp /etc/pip.conf "$root/etc"; fi
    step "Installing make there" 'apt-get -q update; apt-get -q -y install --no-install-recommends make'
    step "Making the package there" 'cd /sources; PIP_CERT=/trusted/certificates make deb'
    cp "$root"/sources/build/xlatperf_*.deb "$packages"
else
    cp build/xlatperf_*.deb "$packages"
fi

# What belongs to the package manager itself, or to the try, isn't a trace.
files() { (cd "$root" && find . -path ./var/lib/apt -prune -o -path ./var/lib/dpkg -prune -o -path ./var/cache -prune -o \
    -path ./var/log -prune -o -path ./root/try -prune -o -path ./proc -prune -o -path ./sys -prune -o -path ./dev -prune -o -print) | sort; }
with_package() {
    fresh
    mkdir "$root/root/try"
    cp "$packages"/xlatperf_*.deb "$root/root/try"
    in_it 'apt-get -q update' >"$packages/log" 2>&1 || { cat "$packages/log"; exit 1; }
}
with_package
step "Installing only what it needs, to compare" 'cd /root/try
    apt-get -q -y satisfy "$(dpkg-deb -f xlatperf_*.deb Depends)" "$(dpkg-deb -f xlatperf_*.deb Recommends)"'
files >"$packages/without"

with_package
step "Installing the package" 'apt-get -q -y install /root/try/xlatperf_*.deb'
step "Calling it" 'xlatperf --version; test -s /usr/share/man/man1/xlatperf.1.gz; xlatperf probe
    test "$(COMP_WORDS="xlatperf ini" COMP_CWORD=1 _XLATPERF_COMPLETE=complete_bash xlatperf)" = init'
step "A new user's first campaign" 'cd /root/try
    cp /usr/share/doc/xlatperf/examples/reference-siit.toml bench.toml; xlatperf run bench.toml -f campaign; ls -l campaign
    grep -q "</html>" campaign/report.html; head -3 campaign/summary.csv'
cp "$root/root/try/campaign/report.html" "$packages"
step "Removing it" 'apt-get -q -y purge xlatperf
    if command -v xlatperf; then exit 1; fi'
files >"$packages/removed"
if diff "$packages/without" "$packages/removed"; then
    echo "$suite: installed, used, and removed without a trace"
else
    echo "$suite: that is left (>), or missing (<)"
    exit 1
fi
