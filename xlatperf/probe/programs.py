"""Programs that drivers and tests use, and the project's own."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Mapping

from xlatperf.devices.registry import DRIVERS
from xlatperf.lab.programs import Program
from xlatperf.probe.observation import Observation
from xlatperf.probe.tree import Tree

_KVM_GET_API_VERSION, _KVM_CREATE_VM = 0xAE00, 0xAE01  # linux/kvm.h
_KVM_API_VERSION = 12


def survey(tree: Tree, binaries: Mapping[str, bool], makes_machine: Callable[[], str | None]) -> list[Observation]:
    """`binaries`: the project's own programs, and whether they are there. `makes_machine`: see `kvm_fault`."""
    lines = []
    for name, there in binaries.items():
        if there:
            lines.append(Observation("ok", name, "built"))
        else:
            lines.append(Observation("missing", name, "not built", "make build"))
    for program, drivers in _needed().items():
        purpose = f"devices {', '.join(drivers)}"
        if tree.program(program.name):
            lines.append(Observation("ok", program.subject, f"there, for: {purpose}"))
        else:
            lines.append(Observation("missing", program.subject, f"not there; needed for: {purpose}", program.advice))
    lines.append(_virtual_machines(tree, makes_machine))
    return lines


def _needed() -> dict[Program, list[str]]:
    """Programs, and the drivers that need them."""
    found: dict[Program, list[str]] = {}
    for model in DRIVERS:
        for program in dict.fromkeys(model(driver=model.named()).programs()):
            found.setdefault(program, []).append(model.named())
    return found


def _virtual_machines(tree: Tree, makes_machine: Callable[[], str | None]) -> Observation:
    subject = "virtual machines"
    if not tree.program("qemu-system-x86_64"):
        return Observation(
            "missing", subject, "no QEMU: no DUT with a kernel of its own on this host", "apt install qemu-system-x86"
        )
    if not tree.exists("dev/kvm"):
        return Observation("limited", subject, "QEMU is there, /dev/kvm isn't: emulated, so good for correctness only")
    fault = makes_machine()
    if fault is not None:
        text = f"QEMU is there, /dev/kvm can't be used ({fault}): emulated, so good for correctness only"
        return Observation("limited", subject, text)
    return Observation("ok", subject, "QEMU is there, and KVM makes a machine")


def kvm_fault() -> str | None:
    """Has KVM make an empty machine, which is gone at once; why it can't, or None (Documentation/virt/kvm/api.rst)."""
    try:
        kvm = os.open("/dev/kvm", os.O_RDWR | os.O_CLOEXEC)
    except OSError as error:
        return error.strerror
    try:
        if fcntl.ioctl(kvm, _KVM_GET_API_VERSION, 0) != _KVM_API_VERSION:
            return "of another version"
        os.close(fcntl.ioctl(kvm, _KVM_CREATE_VM, 0))
    except OSError as error:
        return error.strerror
    finally:
        os.close(kvm)
    return None
