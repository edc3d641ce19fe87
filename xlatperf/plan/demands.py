"""What a campaign needs of the Tester's memory, and what the device must bear, before anything starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlatperf.config.bench import Bench
from xlatperf.config.request import engine_memory_mb
from xlatperf.config.series import most_subscribers
from xlatperf.keys.in_words import plural, significant
from xlatperf.plan.cells import PlannedCell
from xlatperf.procedures.in_words import fps
from xlatperf.run.measure_cell import DEFAULT_MEDIA_MBPS
from xlatperf.technologies.stateful import StatefulTechnology

BYTES_PER_CONNECTION = {4: 8, 6: 20}
"""Of the state table, by the family of the translated address (docs/protocol.md)."""
SURVEYED_BYTES = 10
"""Per connection, while the mappings are compared."""

_SET = {"networks": "networks", "table_size": "table size", "hash_size": "hash size", "device_cores": "its cores"}
"""What a series sets, and its name."""


def most_connections(planned: Sequence[PlannedCell]) -> int:
    """At once; of a search for the capacity as many as the device with most room was asked for; 0: none."""
    return max((asked.connections for cell in planned for asked in cell.each), default=0)


def of_the_tester(bench: Bench, planned: Sequence[PlannedCell]) -> Iterator[str]:
    """One line each."""
    yield f"memory for frames: {engine_memory_mb(bench):,} MB (tester.memory_mb)"
    technology, most = bench.technology, most_connections(planned)
    if isinstance(technology, StatefulTechnology) and most:
        each = BYTES_PER_CONNECTION[technology.families[1]]
        yield (
            f"memory for the state of {plural(most, 'connection')}: {significant(most * each / 1e6)} MB, and up to "
            f"{significant(most * SURVEYED_BYTES / 1e6)} MB more while their mappings are compared"
        )


def of_the_device(bench: Bench, planned: Sequence[PlannedCell]) -> Iterator[str]:
    """One line each."""
    series = [cell.cell.series for cell in planned]
    fastest = max((asked.highest_fps for cell in planned for asked in cell.each), default=0.0)
    unknown = any(cell.media_supposed and max(asked.highest_fps for asked in cell.each) == fastest for cell in planned)
    of_media = f", on media of {DEFAULT_MEDIA_MBPS:,.0f} Mbit/s, as only the ports know theirs" if unknown else ""
    yield f"up to {fps(fastest)} per direction, the highest rate that is tried{of_media}"
    most = most_connections(planned)
    if most:
        yield f"up to {plural(most, 'connection')} at once; its table is emptied before each trial that opens some"
    subscribers = most_subscribers(bench.measure) or bench.technology.subscribers
    if subscribers is not None:
        yield plural(subscribers, "subscriber")
    for name, what in _SET.items():
        values = list(dict.fromkeys(value for one in series if (value := getattr(one, name)) is not None))
        if values:
            yield f"{what}: {', '.join(f'{value:,}' for value in values)}"
    restarts = sum(cell.repetitions for cell in planned if "restart" in cell.cell.measure.needs)
    if restarts:
        yield f"it is restarted {plural(restarts, 'time')}"
