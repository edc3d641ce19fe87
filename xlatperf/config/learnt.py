"""What the bench file leaves to be learnt from the DUT's first frames, and the bench with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xlatperf.config.bench import Bench
from xlatperf.engine.message import DirectionName, TrafficClass
from xlatperf.procedures.learning import Learnt, Unknown


def to_learn(bench: Bench, directions: Iterable[DirectionName]) -> list[Unknown]:
    """Of each direction and class of frames that the bench has; empty if all is said."""
    traffic, technology = bench.traffic, bench.technology
    there = {"foreground": traffic.has_foreground, "background": traffic.mixed}
    classes: list[TrafficClass] = [name for name in ("foreground", "background") if there[name]]
    found = []
    for direction in directions:
        for traffic_class in classes:
            tunnel = traffic_class == "foreground" and direction == technology.encapsulated
            outer = technology.dut_hop_limit if tunnel else None
            found.append(Unknown(direction, traffic_class, traffic.hops_of(direction, traffic_class), outer))
    return [one for one in found if "learn" in (one.hops, one.outer_hop_limit)]


def with_learnt(bench: Bench, learnt: Sequence[Learnt]) -> Bench:
    """The bench as if its file had said so; what the frames didn't tell is as supposed, whatever others told."""
    traffic, technology = bench.traffic, bench.technology
    for one in learnt:
        if one.hops is not None:
            background = one.hops if one.traffic_class == "background" else traffic.hops_of(one.direction, "background")
            hops = one.hops if one.traffic_class == "foreground" else traffic.hops_of(one.direction, "foreground")
            table = traffic.of(one.direction).model_copy(update={"hops": hops, "background_hops": background})
            traffic = traffic.model_copy(update={one.direction: table})
        if one.outer_hop_limit is not None:
            technology = technology.with_dut_hop_limit(one.outer_hop_limit)
    return bench.model_copy(update={"traffic": traffic, "technology": technology})
