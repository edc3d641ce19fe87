"""A dual DUT (RFC 8219 §4.2) beside each of its two devices alone (§4.1): which of both limits.

464XLAT (RFC 6877): the CLAT translates statelessly (IPv4 left, IPv6 right), the PLAT is a stateful NAT64.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.found import Found, overlap
from xlatperf.report.comparison.rows import Row
from xlatperf.technologies import registry as technologies
from xlatperf.technologies.technology import OF_464XLAT

Part = Literal["clat", "plat"]
NAMES: dict[Part, str] = {"clat": "CLAT", "plat": "PLAT"}
_MORE = 1.1
"""Processor times that differ less say nothing."""
_BUSY = 0.85
"""Of a core: below that it wasn't the core that limited."""


@dataclass(frozen=True)
class Dual:
    """Places of the campaigns: of both devices in a row, and of each alone, if it is there."""

    both: int
    alone: Mapping[Part, int]
    one_core: str
    """The core that both run on; empty if they don't share a single one, or it isn't known."""


@dataclass(frozen=True)
class Verdict:
    """What the measurements of one kind say. `narrower`: the device that limits, or takes most of the shared core."""

    row: Row
    narrower: Part | None
    by_rate: Part | None
    by_processor: Part | None
    alone: Mapping[Part, float]
    cpu: Mapping[Part, float]
    idle: Mapping[str, float]
    limited_elsewhere: str
    """What else was the limit: `Tester`, `highest rate asked`; empty if the DUT was."""

    @property
    def contradict(self) -> bool:
        """Rates say this, processor time says that."""
        return self.by_rate is not None and self.by_processor is not None and self.by_rate != self.by_processor


def dual(campaigns: Sequence[Campaign]) -> Dual | None:
    """The first campaign of a dual DUT, and the first of each device alone."""
    first: dict[OF_464XLAT, int] = {}
    for index, one in enumerate(campaigns):
        model = technologies.of(one.results.technology)
        part = None if model is None else model.of_464xlat(one.results.technology)
        if part is not None:
            first.setdefault(part, index)
    both = first.get("both")
    if both is None:
        return None
    alone = {part: first[part] for part in NAMES if part in first}
    cores = [str(campaigns[both].evidence.part("device").get(f"{part}.cores", "")) for part in NAMES]
    one_core = cores[0] if cores[0] == cores[1] and cores[0].isdigit() else ""
    return Dual(both, alone, one_core)


def verdicts(found: Dual, rows: Sequence[Row]) -> list[Verdict]:
    """For each rate that the dual DUT has."""
    return [
        _verdict(found, row, together)
        for row in rows
        if (together := row.found[found.both]) is not None and together.frames_per_s
    ]


def expected(one_core: str, alone: Mapping[Part, float]) -> float | None:
    """Rate of both in a row, from the rates of each alone; None unless both are known.

    On cores of their own the slower one gives the rate. On one core the times for a frame add up.
    """
    if len(alone) < len(NAMES) or not all(alone.values()):
        return None
    return 1 / sum(1 / rate for rate in alone.values()) if one_core else min(alone.values())


def busy(found: Dual, verdict: Verdict) -> bool | None:
    """Whether a core had nothing left; None: not known."""
    if verdict.idle:  # also has what the kernel did for others than the two
        return min(verdict.idle.values()) <= 1 - _BUSY
    if not verdict.cpu:
        return None
    return (sum(verdict.cpu.values()) if found.one_core else max(verdict.cpu.values())) >= _BUSY


def _verdict(found: Dual, row: Row, together: Found) -> Verdict:
    places = [(part, found.alone[part]) for part in NAMES if part in found.alone]
    single = {part: one for part, index in places if (one := row.found[index]) is not None and one.value}
    known = together.measurement.device_cpu
    cpu = {part: known[part] for part in NAMES if part in known}
    by_rate, by_processor = _slower(single), _busier(cpu)
    narrower = by_rate if by_processor in (None, by_rate) else by_processor if by_rate is None else None
    limits = {one.limited_by for one in together.measurement.repetitions}
    return Verdict(
        row=row,
        narrower=narrower,
        by_rate=by_rate,
        by_processor=by_processor,
        alone={part: one.value for part, one in single.items() if one.value},
        cpu=cpu,
        idle=together.measurement.device_idle,
        limited_elsewhere="" if "dut" in limits else together.limited_by,
    )


def _slower(single: Mapping[Part, Found]) -> Part | None:
    """The device with the lower rate alone, if ranges are apart and that rate is its own limit."""
    if len(single) < len(NAMES) or overlap(single["clat"], single["plat"]):
        return None
    slower: Part = min(single, key=lambda part: single[part].value or 0.0)
    return None if single[slower].bound else slower


def _busier(cpu: Mapping[Part, float]) -> Part | None:
    if len(cpu) < len(NAMES):
        return None
    more: Part = max(cpu, key=lambda part: cpu[part])
    return more if cpu[more] >= _MORE * min(cpu.values()) and cpu[more] > 0 else None
