"""Programs that drivers and tests use, and the project's own."""

from __future__ import annotations

from collections.abc import Mapping

from xlatperf.probe.line import Line
from xlatperf.probe.tree import Tree

_PROGRAMS = (
    ("tayga", "TAYGA", "devices tayga, tayga-nat64, tayga-siit-pair, 464xlat", "apt install tayga"),
    ("nft", "nftables", "devices nft-nat44, and all of TAYGA but tayga", "apt install nftables"),
    ("ethtool", "ethtool", "devices in network namespaces", "apt install ethtool"),
    ("setpriv", "setpriv", "ending devices with the run", "apt install util-linux"),
)


def survey(tree: Tree, binaries: Mapping[str, bool]) -> list[Line]:
    """`binaries`: the project's own programs, and whether they are there."""
    lines = []
    for name, there in binaries.items():
        if there:
            lines.append(Line("ok", name, "built"))
        else:
            lines.append(Line("missing", name, "not built", "make build"))
    for program, subject, purpose, advice in _PROGRAMS:
        if tree.program(program):
            lines.append(Line("ok", subject, f"there, for: {purpose}"))
        else:
            lines.append(Line("missing", subject, f"not there; needed for: {purpose}", advice))
    lines.append(_virtual_machines(tree))
    return lines


def _virtual_machines(tree: Tree) -> Line:
    subject = "virtual machines"
    if not tree.program("qemu-system-x86_64"):
        return Line(
            "missing", subject, "no QEMU: no DUT with a kernel of its own on this host", "apt install qemu-system-x86"
        )
    if not tree.exists("dev/kvm"):
        return Line("limited", subject, "QEMU is there, /dev/kvm isn't: emulated, so good for correctness only")
    return Line("ok", subject, "QEMU and /dev/kvm are there")
