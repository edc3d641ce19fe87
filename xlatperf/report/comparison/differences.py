"""What differs between campaigns: keys of their bench files; host, DUT and versions, as their folders have them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xlatperf.report.comparison.campaign import Campaign
from xlatperf.report.evidence import measures_of

MISSING = "\N{EN DASH}"
_OF_THE_ENVIRONMENT = ("host", "software", "engine", "device")
_CHANCE = frozenset(
    {
        "title",
        "host.hugepages_free",
        "host.memory",
        "engine.clock.hz",
        "engine.clock.uncertainty_ppm",
        "engine.counters",
    }
)
"""Names, and what differs from one start to the next."""


@dataclass(frozen=True)
class Difference:
    """A key with what each campaign has there, as text."""

    place: str
    values: tuple[str, ...]


def of_bench_files(campaigns: Sequence[Campaign]) -> list[Difference]:
    """With all defaults. A table that one of them doesn't have is one difference."""
    return list(_differences("", [_with_measures(campaign.results.bench) for campaign in campaigns]))


def of_environments(campaigns: Sequence[Campaign]) -> list[Difference]:
    """Host, versions, Tester's ports and clock, the DUT with its configuration."""
    facts = [
        {name: campaign.evidence.environment.get(name) or {} for name in _OF_THE_ENVIRONMENT} for campaign in campaigns
    ]
    return list(_differences("", facts))


def _with_measures(bench: Mapping[str, Any]) -> dict[str, Any]:
    """The list of measures as a table, so that those of the same procedure meet."""
    measures: dict[str, Any] = {}
    for measure in measures_of(bench):
        name = str(measure.get("procedure"))
        number = sum(known.partition(" ")[0] == name for known in measures)
        measures[f"{name} {number + 1}" if number else name] = measure
    return {**{name: value for name, value in bench.items() if name != "measure"}, "measure": measures}


class _Nothing:
    """A campaign that has not even the table."""


_NOTHING = _Nothing()


def _differences(place: str, values: Sequence[object]) -> Iterator[Difference]:
    """`values`: of each campaign at this place; those that had nothing above already don't count."""
    if place in _CHANCE:
        return
    present = [value for value in values if not isinstance(value, _Nothing)]
    if len(present) < 2 or all(value == present[0] for value in present[1:]):
        return
    tables = [value for value in present if isinstance(value, Mapping)]
    if len(tables) < len([value for value in present if value is not None]) or not tables:
        yield Difference(place, tuple(_text(value) for value in values))
        return
    if len(tables) < len(present):
        yield Difference(place, tuple("there" if isinstance(value, Mapping) else MISSING for value in values))
    for name in dict.fromkeys(name for table in tables for name in table):
        inner = f"{place}.{name}" if place else str(name)
        yield from _differences(
            inner, [value.get(name) if isinstance(value, Mapping) else _NOTHING for value in values]
        )


def _text(value: object) -> str:
    if value is None or isinstance(value, _Nothing):
        return MISSING
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
