"""A dual DUT (RFC 8219 §4.2) beside each of its two devices alone (§4.1): which of both limits.

464XLAT (RFC 6877) by one driver: the CLAT translates statelessly (IPv4 left, IPv6 right), the PLAT is a stateful NAT64.
Or two devices in a row, each by its own driver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xlatperf.devices.device import POLLS
from xlatperf.devices.in_a_row import InARowDriver
from xlatperf.procedures.quantity import Bound
from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.comparison.found import Found, overlap
from xlatperf.report.comparison.rows import Row
from xlatperf.technologies import registry as technologies
from xlatperf.technologies.technology import OF_464XLAT

_OF_464XLAT = {"clat": "CLAT", "plat": "PLAT"}
_MORE = 1.1
"""Processor times that differ less say nothing."""
_BUSY = 0.85
"""Of a core: below that it wasn't the core that limited."""


@dataclass(frozen=True)
class Dual:
    """Places of the campaigns: of both devices in a row, and of each alone, if it is there.

    `parts`: what the devices are, from left to right.
    """

    parts: tuple[str, str]
    both: int
    alone: Mapping[str, int]
    one_core: str
    """The core that both run on; empty if they don't share a single one, or it isn't known."""
    apart: bool = True
    """Otherwise they are taken to have cores of their own; False: nobody knows."""
    polls: tuple[str, ...] = ()
    """Those whose processor time says nothing: they take all there is of their core."""


@dataclass(frozen=True)
class Verdict:
    """What the measurements of one kind say. `narrower`: the device that limits, or takes most of the shared core."""

    row: Row
    narrower: str | None
    by_rate: str | None
    by_processor: str | None
    alone: Mapping[str, float]
    cpu: Mapping[str, float]
    idle: Mapping[str, float]
    limited_elsewhere: str
    """What else was the limit: `Tester`, `highest rate asked`; empty if the DUT was."""

    @property
    def contradict(self) -> bool:
        """Rates say this, processor time says that."""
        return self.by_rate is not None and self.by_processor is not None and self.by_rate != self.by_processor


def dual(campaigns: Sequence[Campaign]) -> Dual | None:
    """The first campaign of a dual DUT, and the first of each device alone."""
    return _of_two_drivers(campaigns) or _of_464xlat(campaigns)


def _of_464xlat(campaigns: Sequence[Campaign]) -> Dual | None:
    """What a campaign is of follows from its technology, not from who set the devices up."""
    first: dict[OF_464XLAT, int] = {}
    for index, one in enumerate(campaigns):
        model = technologies.of(one.results.technology)
        part = None if model is None else model.of_464xlat(one.results.technology)
        if part is not None:
            first.setdefault(part, index)
    both = first.get("both")
    if both is None:
        return None
    alone = {name: first[part] for part, name in _OF_464XLAT.items() if part in first}
    cores = [str(campaigns[both].evidence.part("device").get(f"{part}.cores", "")) for part in _OF_464XLAT]
    return Dual(("CLAT", "PLAT"), both, alone, cores[0] if cores[0] == cores[1] and cores[0].isdigit() else "")


def _of_two_drivers(campaigns: Sequence[Campaign]) -> Dual | None:
    for both, one in enumerate(campaigns):
        device = one.evidence.asked("device")
        names, drivers = device.get("names"), device.get("devices")
        if device.get("driver") != InARowDriver.named() or not isinstance(names, list) or not isinstance(drivers, list):
            continue
        left, right = (str(name) for name in names)
        alone = {
            name: index
            for name, driver, families in zip((left, right), drivers, ({4: 6}, {6: 4}), strict=True)
            for index, other in reversed(list(enumerate(campaigns)))
            if other.evidence.asked("device") == driver and _families(other) == families
        }
        facts = one.evidence.part("device")
        cores = [_core(facts, name) for name in (left, right)]
        shared = cores[0] if cores[0] == cores[1] else ""
        polls = tuple(name for name in (left, right) if f"{name}.{POLLS}" in facts)
        return Dual((left, right), both, alone, shared, apart=all(cores), polls=polls)
    return None


def _families(campaign: Campaign) -> dict[int, int]:
    """Of one device in a row: IPv6 is between the two."""
    model = technologies.of(campaign.results.technology)
    return {} if model is None else dict([model.families_of(campaign.results.technology)])


def _core(facts: Mapping[str, Any], part: str) -> str:
    """The only one on which its process runs; empty: it has several, or it isn't known."""
    told = {str(value) for name, value in facts.items() if name.startswith(f"{part}.") and name.endswith(".cores")}
    processes = [one for one in told if one[:1].isdigit()]  # others are words about a kernel
    return processes[0] if len(processes) == 1 and processes[0].isdigit() else ""


def verdicts(found: Dual, rows: Sequence[Row]) -> list[Verdict]:
    """For each rate that the dual DUT has."""
    return [
        _verdict(found, row, together)
        for row in rows
        if (together := row.found[found.both]) is not None and together.frames_per_s
    ]


def expected(found: Dual, alone: Mapping[str, tuple[float, Bound]]) -> tuple[float, Bound] | None:
    """Rate of both in a row, from the rates of each alone; None unless both are known, and who shares a core.

    On cores of their own the slower one gives the rate. On one core the times for a frame add up, unless one polls. Of
    bounds it's one, but of a slower one whose rate is known.
    """
    if len(alone) < len(found.parts) or not (found.one_core or found.apart) or (found.one_core and found.polls):
        return None
    rates = [rate for rate, _ in alone.values()]
    if not all(rates):
        return None
    bounds = {bound for _, bound in alone.values()}
    if found.one_core:
        return 1 / sum(1 / rate for rate in rates), _of_both(bounds)
    slower, its = min(alone.values())
    return slower, its if bounds <= {"", ">="} else _of_both(bounds)


def _of_both(bounds: set[Bound]) -> Bound:
    """A sum's; what some buffer may have done stays that."""
    return "~" if "~" in bounds else max(bounds, default="")


def busy(found: Dual, verdict: Verdict) -> bool | None:
    """Whether a core had nothing left; None: not known."""
    if found.polls:
        return None
    if verdict.idle:  # also has what the kernel did for others than the two
        return min(verdict.idle.values()) <= 1 - _BUSY
    return _full(found, verdict.cpu) if verdict.cpu else None


def _full(found: Dual, cpu: Mapping[str, float]) -> bool:
    """A core, by what was used of it."""
    return (sum(cpu.values()) if found.one_core else max(cpu.values())) >= _BUSY


def _verdict(found: Dual, row: Row, together: Found) -> Verdict:
    places = [(part, found.alone[part]) for part in found.parts if part in found.alone]
    single = {part: one for part, index in places if (one := row.found[index]) is not None and one.value}
    cpu = _used(found, together.measurement.device_cpu)
    by_rate, by_processor = _slower(found, single), _busier(found, cpu)
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


def _used(found: Dual, cpu: Mapping[str, float]) -> dict[str, float]:
    """By device: what its process used, or the busiest of those that its driver tells of."""
    used = {}
    for part in found.parts:
        own = [one for name, one in cpu.items() if name == part.lower() or name.startswith(f"{part} ")]
        if own:
            used[part] = max(own)
    return used


def _slower(found: Dual, single: Mapping[str, Found]) -> str | None:
    """The device with the lower rate alone, if ranges are apart and that rate is its own limit."""
    if len(single) < len(found.parts) or overlap(*single.values()):
        return None
    slower = min(single, key=lambda part: single[part].value or 0.0)
    return None if single[slower].bound else slower


def _busier(found: Dual, cpu: Mapping[str, float]) -> str | None:
    """The device that used clearly more, if that left nothing of a core: else processor time limited nothing."""
    if found.polls or len(cpu) < 2 or not _full(found, cpu):
        return None
    more = max(cpu, key=lambda part: cpu[part])
    return more if cpu[more] >= _MORE * min(cpu.values()) and cpu[more] > 0 else None
