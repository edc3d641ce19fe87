"""Cores and clock: what makes a schedule of frames steady and a delay trustworthy."""

from __future__ import annotations

from xlatperf.probe.observation import Observation
from xlatperf.probe.tree import Tree

_CPU = "sys/devices/system/cpu"


def survey(tree: Tree) -> list[Observation]:
    """Cores, isolation, siblings, frequency, clock."""
    online = core_list(tree.read(f"{_CPU}/online") or "0")
    return [
        _count(len(online)),
        _isolation(tree),
        *_siblings(tree, online),
        *_governor(tree, online),
        _clock(tree),
    ]


def core_list(text: str) -> list[int]:
    """A list of cores as the kernel writes it: "0-3,8"."""
    cores: list[int] = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if first.isdigit():
            cores += range(int(first), int(last or first) + 1)
    return cores


def _count(cores: int) -> Observation:
    if cores >= 4:
        return Observation("ok", "cores", f"{cores}: Tester and DUT can have their own")
    return Observation(
        "limited",
        "cores",
        f"{cores}: Tester and a DUT on this host share them, so rates are those of both together",
        "measure with a DUT on another machine, or give this one at least 4 cores",
    )


def _isolation(tree: Tree) -> Observation:
    isolated = core_list(tree.read(f"{_CPU}/isolated") or "")
    if isolated:
        return Observation("ok", "isolated cores", ", ".join(map(str, isolated)))
    return Observation(
        "limited",
        "isolated cores",
        "none: other processes hold the sender up now and then; such trials are found invalid and repeated",
        "for high rates start the kernel with isolcpus=, nohz_full= and rcu_nocbs= for the Tester's cores",
    )


def _siblings(tree: Tree, online: list[int]) -> list[Observation]:
    shared = sorted(
        {
            text
            for core in online
            if len(core_list(text := tree.read(f"{_CPU}/cpu{core}/topology/thread_siblings_list") or "")) > 1
        }
    )
    if not shared:
        return [Observation("ok", "SMT", "each core is a core of its own")]
    return [
        Observation(
            "limited",
            "SMT",
            f"these share one core's units: {'; '.join(shared)}",
            "put the Tester's workers on different cores, or echo off > /sys/devices/system/cpu/smt/control",
        )
    ]


def _governor(tree: Tree, online: list[int]) -> list[Observation]:
    found = {tree.read(f"{_CPU}/cpu{core}/cpufreq/scaling_governor") for core in online} - {None}
    if not found:
        return []  # nothing to choose, as in a virtual machine
    if found == {"performance"}:
        return [Observation("ok", "frequency", "governor performance")]
    names = ", ".join(sorted(name for name in found if name))
    return [
        Observation("limited", "frequency", f"governor {names}: delays vary", "cpupower frequency-set -g performance")
    ]


def _clock(tree: Tree) -> Observation:
    flags: set[str] = set()
    for line in (tree.read("proc/cpuinfo") or "").splitlines():
        if line.startswith("flags"):
            flags = set(line.partition(":")[2].split())
            break
    source = tree.read("sys/devices/system/clocksource/clocksource0/current_clocksource") or "unknown"
    lacking = [flag for flag in ("constant_tsc", "nonstop_tsc") if flag not in flags]
    known = "its frequency is known" if "tsc_known_freq" in flags else "its frequency is measured at the start"
    if lacking:
        return Observation(
            "limited",
            "clock",
            f"the TSC lacks {', '.join(lacking)}: time stamps may drift with the core's frequency",
            "measure on another machine, or fix the frequency",
        )
    if source != "tsc":
        return Observation(
            "limited",
            "clock",
            f"the TSC is steady, {known}, but the kernel uses {source}: it doesn't trust the TSC",
            "see `dmesg | grep -i tsc`",
        )
    return Observation("ok", "clock", f"the TSC is steady and the kernel uses it; {known}")
