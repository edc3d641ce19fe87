"""Debian packages that a virtual machine is made of: fetched and unpacked, not installed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from xlatperf.lab.error import LabError
from xlatperf.lab.namespace import run_command

SOURCES = Path("/usr/src")
"""Where the headers of kernels are, each in a folder of its own."""
HEADERS = "linux-headers-cloud-amd64"
"""The package that brings them."""
NO_HEADERS = f"headers of the virtual machine's kernel aren't installed: apt install {HEADERS}"
_HEADERS = re.compile(r"linux-headers-([0-9.]+-[0-9]+-cloud-amd64)")
JOOL = "jool-dkms"
"""Jool's modules as source."""
_UNPACKED = (JOOL, "jool-tools", "tayga", "libnl-3-200", "libnl-genl-3-200", "busybox-static")
_OF_HOST = ("bash", "coreutils", "iproute2", "nftables", "conntrack", "ethtool")
_FETCH_S = 300.0


def kernel_release() -> str | None:
    """Of the newest cloud kernel whose headers are installed; None: there are none."""
    found = [match[1] for folder in SOURCES.glob("linux-headers-*") if (match := _HEADERS.fullmatch(folder.name))]
    return max(found, key=lambda release: [int(number) for number in re.findall("[0-9]+", release)], default=None)


def to_unpack(release: str) -> dict[str, str]:
    """Their versions, by name: those that would be fetched now. Raises LabError for one that apt doesn't know."""
    names = (f"linux-image-{release}", *_UNPACKED)
    found = parse_versions(run_command(("apt-cache", "show", "--no-all-versions", *names)))
    for name in names:
        if name not in found:
            raise LabError(f"apt knows no package {name}: apt-get update && apt-get install {HEADERS}")
    return found


def installed() -> dict[str, str]:
    """The versions of those whose programs are taken from this host. Raises LabError."""
    found = run_command(("dpkg-query", "-W", "-f", "${Package} ${Version}\\n", *_OF_HOST))
    return dict(line.split(" ", 1) for line in found.splitlines())


def parse_versions(shown: str) -> dict[str, str]:
    """By package: fields as deb-control(5) has them, the first record of each."""
    found: dict[str, str] = {}
    name = ""
    for line in shown.splitlines():
        field, _, value = line.partition(": ")
        if field == "Package":
            name = value
        elif field == "Version":
            found.setdefault(name, value)
    return found


def unpack(wanted: Mapping[str, str], folder: Path) -> Path:
    """Fetches these versions into `folder`, unpacks them there; returns what is like their root. Raises LabError."""
    root = folder / "root"
    root.mkdir()
    fetched = folder / "packages"
    fetched.mkdir()
    packages: Sequence[str] = [f"{name}={version}" for name, version in wanted.items()]
    run_command(("apt-get", "-q", "download", *packages), _FETCH_S, fetched)
    for package in sorted(fetched.glob("*.deb")):
        run_command(("dpkg-deb", "-x", str(package), str(root)), _FETCH_S)
    return root
