#!/bin/bash
# install-dependencies.sh [test|lint|bench|machine|deb|bare]: installs the Debian packages that are missing; does nothing if none is.
set -eu
cd "$(dirname "$0")/.."

packages=(
    # to build; libdpdk-dev brings DPDK's drivers of ports, which the engine loads
    g++ meson ninja-build pkg-config libdpdk-dev nlohmann-json3-dev libgtest-dev libbenchmark-dev
    # to run
    python3 python3-venv iproute2 ethtool nftables conntrack tayga openssh-client
)
if [[ ${1:-} == lint ]]; then
    packages+=(clang-format shellcheck)
elif [[ ${1:-} == test ]]; then
    packages=(clang libclang-rt-dev) # sanitizers
elif [[ ${1:-} == deb ]]; then
    packages=(build-essential debhelper)
elif [[ ${1:-} == bare ]]; then
    packages=(debootstrap)
elif [[ ${1:-} == bench ]]; then
    packages+=(dpdk-dev) # dpdk-testpmd
elif [[ ${1:-} == machine ]]; then
    [[ $(uname -m) == x86_64 ]] || exit 0
    packages=(qemu-system-x86 cpio kmod linux-headers-cloud-amd64)
fi

if ! command -v dpkg-query >/dev/null; then
    echo "This isn't Debian: nothing is installed for you. Needed, by their names in Debian: ${packages[*]}"
    exit 0
fi

missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null || true)
    grep -qx installed <<<"$status" || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
    exit 0
fi

if ((EUID == 0)); then
    root=(env)
elif sudo -n true 2>/dev/null; then
    root=(sudo -n env)
else
    echo "These packages are missing, and installing them needs root: sudo apt-get install ${missing[*]}"
    exit 1
fi
install=("${root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120)
# An installation that was interrupted is finished first: else apt refuses.
if [[ -n $(find /var/lib/dpkg/updates -type f 2>/dev/null | head -1) || -n $(dpkg --audit 2>/dev/null) ]]; then
    scripts/quietly.sh "Finishing what dpkg was interrupted in" "${root[@]}" DEBIAN_FRONTEND=noninteractive dpkg --configure -a
fi
scripts/quietly.sh "Reading the package lists" "${install[@]}" update
scripts/quietly.sh "Installing ${missing[*]}" "${install[@]}" install --no-install-recommends "${missing[@]}"
