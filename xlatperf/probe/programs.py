"""Programs that drivers and tests use, and the project's own."""

from __future__ import annotations

from collections.abc import Mapping

from xlatperf.devices.registry import DRIVERS
from xlatperf.lab.programs import Program
from xlatperf.probe.observation import Observation
from xlatperf.probe.tree import Tree


def survey(tree: Tree, binaries: Mapping[str, bool]) -> list[Observation]:
    """`binaries`: the project's own programs, and whether they are there."""
    lines = []
    for name, there in binaries.items():
        if there:
            lines.append(Observation("ok", name, "there"))
        else:
            lines.append(Observation("missing", name, "not there", "make build"))
    for program, drivers in _needed().items():
        purpose = f"devices {', '.join(drivers)}"
        if tree.program(program.name):
            lines.append(Observation("ok", program.subject, f"there, for: {purpose}"))
        else:
            lines.append(Observation("missing", program.subject, f"not there; needed for: {purpose}", program.advice))
    lines.append(_virtual_machines(tree))
    return lines


def _needed() -> dict[Program, list[str]]:
    """Programs, and the drivers that need them."""
    found: dict[Program, list[str]] = {}
    for model in DRIVERS:
        for program in dict.fromkeys(model(driver=model.named()).programs()):
            found.setdefault(program, []).append(model.named())
    return found


def _virtual_machines(tree: Tree) -> Observation:
    subject = "virtual machines"
    if not tree.program("qemu-system-x86_64"):
        return Observation(
            "missing", subject, "no QEMU: no DUT with a kernel of its own on this host", "apt install qemu-system-x86"
        )
    if not tree.exists("dev/kvm"):
        return Observation("limited", subject, "QEMU is there, /dev/kvm isn't: emulated, so good for correctness only")
    # Only a machine that runs shows whether it does: nested virtualisation may have the device and not the rest.
    return Observation(
        "limited",
        subject,
        "QEMU and /dev/kvm are there; whether a machine runs by KVM isn't tried here",
        "qemu-system-x86_64 -accel kvm -nodefaults -display none, for a second: it says nothing if it does",
    )
