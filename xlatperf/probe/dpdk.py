"""DPDK: its version, and which drivers of ports (poll mode drivers) are installed."""

from __future__ import annotations

import re

from xlatperf.probe.observation import Observation
from xlatperf.probe.tree import Tree

_LEAST = (22, 11)
_WHAT_FOR = {
    "memif": "the reference device without root",
    "ring": "the self-test",
    "af_packet": "network interfaces of any kind",
    "af_xdp": "network interfaces, faster than af_packet",
    "null": "measuring the Tester alone",
    "tap": "a network interface for other programs",
    "pcap": "frames from and to capture files",
}
_LIBRARY_FOLDERS = ("usr/lib/*", "usr/lib", "usr/lib64", "usr/local/lib/*", "usr/local/lib", "usr/local/lib64")


def survey(tree: Tree) -> list[Observation]:
    """The version for building, then one line about the drivers."""
    return [_version(tree), _drivers(tree)]


def _version(tree: Tree) -> Observation:
    found = [file for folder in _LIBRARY_FOLDERS for file in tree.find(f"{folder}/pkgconfig/libdpdk.pc")]
    if not found:
        return Observation("missing", "DPDK", "not installed for building: no libdpdk.pc", "apt install libdpdk-dev")
    text = tree.read(str(found[0].relative_to(tree.root))) or ""
    match = re.search(r"^Version:\s*(\S+)", text, re.MULTILINE)
    version = match[1] if match else "unknown"
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    if numbers < _LEAST:
        return Observation("missing", "DPDK", f"version {version} is too old", "install DPDK 22.11 or newer")
    return Observation("ok", "DPDK", f"version {version}")


def _drivers(tree: Tree) -> Observation:
    names = {
        file.name.removeprefix("librte_net_").partition(".so")[0]
        for folder in _LIBRARY_FOLDERS
        for file in tree.find(f"{folder}/dpdk/pmds-*/librte_net_*.so*")
    }
    there = [name for name in _WHAT_FOR if name in names]
    lacking = [f"{name} ({purpose})" for name, purpose in _WHAT_FOR.items() if name not in names]
    if not there:
        advice = "apt install libdpdk-dev; if DPDK is elsewhere, see `ldconfig -p | grep librte_net`"
        return Observation("missing", "DPDK ports", "no driver of virtual ports found", advice)
    if lacking:
        advice = " ".join(f"librte-net-{name.partition(' ')[0].replace('_', '-')}23" for name in lacking)
        return Observation("limited", "DPDK ports", f"without {', '.join(lacking)}", f"apt install {advice}")
    return Observation("ok", "DPDK ports", f"{', '.join(there)}; drivers of NICs: {len(names) - len(there)}")
