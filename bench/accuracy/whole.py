"""All rows, in an order in which each has its cores for itself."""

from __future__ import annotations

from collections.abc import Callable

from bench.accuracy.extent import Extent
from bench.accuracy.places import LOOPBACK, NAT44, NOWHERE, choose_cores, tester_alone, with_device
from bench.accuracy.row import Row
from bench.accuracy.rows import (
    bimodal,
    capacity,
    clock,
    delay,
    departure,
    held_up,
    late_frames,
    loopback,
    loss,
    offered,
    stall,
    variation,
)
from bench.accuracy.workbench import Workbench

PARTS = (capacity, loss, delay, bimodal, variation, stall, departure, clock, offered, held_up, late_frames)
GROUPS = tuple(part.GROUP for part in PARTS)
"""What the table has, in its order."""


def measure(extent: Extent, say: Callable[[str], None] = lambda _: None) -> list[Row]:
    """Measures everything. Raises EngineError, EngineDied, DeviceError."""
    cores = choose_cores()
    made: list[Row] = []
    say("The Tester's loopback over memory")
    with tester_alone(LOOPBACK, cores) as place:
        own, floor = loopback.rows(Workbench(place, extent, say))
        made += own
    with tester_alone(NOWHERE, cores) as place:
        bench = Workbench(place, extent, say)
        say("Departures")
        made += departure.rows(bench, cores.tester)
        say("Clock and rate")
        made += clock.rows(bench, cores.device)
    with with_device(cores) as place:
        bench = Workbench(place, extent, say)
        say("Known loss")
        made += loss.rows(bench)
        say("Known delay")
        made += delay.rows(bench, floor)
        made += bimodal.rows(bench, floor)
        say("Known variation")
        made += variation.rows(bench)
        say("Known stall")
        made += stall.rows(bench)
        say("Known capacity")
        made += capacity.rows(bench)
        say("Offered rate")
        made += offered.rows(bench)
        say("Known hold-ups")
        made += held_up.rows(bench)
        say("Known lateness")
        made += late_frames.rows(bench)
    with with_device(cores, NAT44) as place:
        made += offered.phases(Workbench(place, extent, say))
    return sorted(made, key=lambda row: GROUPS.index(row.group))
