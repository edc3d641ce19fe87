"""The lines that scripts look for, from one trial. Delays are in ms with six digits, as these programs print them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from xlatperf.dropin.arguments import Arguments, Kind
from xlatperf.engine.delays import Delay, Tagged
from xlatperf.engine.direction_answer import Direction
from xlatperf.procedures.trial import Trial

_NS_PER_MS = 1e6
P999 = 0.999


def lines_of(trial: Trial, arguments: Arguments, *, capitals: bool) -> Iterator[str]:
    """`capitals`: `Forward frames received:` as siitperf has it, otherwise `forward`, as Maptperf."""
    yield from _phase_1(trial, arguments)
    wanted = trial.request.connections
    directions = {} if wanted is not None and wanted.phase == "establish" else trial.directions
    for name, direction in directions.items():
        side = name.capitalize() if capitals else name
        yield f"{side} frames sent: {direction.sent}"
        yield f"{side} frames received: {direction.expected}"
        yield from _not_right(side, direction)
        if arguments.kind is Kind.LATENCY:
            yield from _latency(side, direction.all_frames.tagged, arguments.timeout_ms)
        elif arguments.kind is Kind.PDV and not arguments.frame_timeout_ms:
            yield from _pdv(side, direction, arguments.timeout_ms)
    if trial.collapsed is not None:
        yield f"Error: {trial.collapsed}"
    if not trial.valid:
        for reason in trial.reasons:
            yield f"Info: the test is invalid: {reason.text}"


def _phase_1(trial: Trial, arguments: Arguments) -> Iterator[str]:
    if arguments.connections is None:
        return
    first = trial.first_phase
    forward = first.forward
    yield f"Preliminary frames sent: {0 if forward is None else forward.sent}"
    yield f"Preliminary frames received: {0 if forward is None else forward.expected}"
    if not first.valid:
        return
    received = 0 if forward is None else forward.expected
    if received < arguments.connections.count:
        size = arguments.connections.count
        yield f"Error: Failed to fill state table (valid entries: {received}, state table size: {size})!"


def _not_right(side: str, direction: Direction) -> Iterator[str]:
    """What the programs don't look at: frames that came back, and not as they must."""
    lost = sum(counters.lost for counters in direction.classes.values())
    wrong: dict[str, int] = {}
    for counters in direction.classes.values():
        for reason, count in counters.wrong.items():
            wrong[reason] = wrong.get(reason, 0) + count
    if lost:
        yield f"Info: {side} frames completely missing: {lost}"
    for reason, count in wrong.items():
        yield f"Info: {side} frames that came back wrong, {reason}: {count}"


def _latency(side: str, tagged: Tagged | None, penalty_ms: int) -> Iterator[str]:
    """RFC 8219 §7.2; a tag that is lost counts as the global timeout."""
    if tagged is None or not tagged.sent:
        return
    lost = tagged.sent - tagged.received
    if lost:
        said = "where they don't decide, values are of the others"
        yield f"Info: {side} tagged frames lost: {lost} of {tagged.sent}; {said}"
    median = _or_penalty(math.ceil(tagged.sent / 2), tagged.received, tagged.median_ns, penalty_ms)
    worst = _or_penalty(math.ceil(round(P999 * tagged.sent, 6)), tagged.received, tagged.p999_ns, penalty_ms)
    yield f"{side} TL: {median:.6f}"
    yield f"{side} WCL: {worst:.6f}"


def _or_penalty(rank: int, received: int, value_ns: float | None, penalty_ms: int) -> float:
    return float(penalty_ms) if value_ns is None or rank > received else value_ns / _NS_PER_MS


def _pdv(side: str, direction: Direction, penalty_ms: int) -> Iterator[str]:
    """RFC 8219 §7.3.1; a frame that is lost counts as the global timeout."""
    delay = direction.all_frames.delay
    rank = math.ceil(round(P999 * direction.sent, 6))
    worst = _at_rank(delay, rank, penalty_ms)
    least = penalty_ms if delay.min_ns is None else delay.min_ns / _NS_PER_MS
    most = penalty_ms if delay.max_ns is None or delay.count < direction.sent else delay.max_ns / _NS_PER_MS
    yield f"Info: {side} D99_9th_perc: {worst:.6f}"
    yield f"Info: {side} Dmin: {least:.6f}"
    yield f"Info: {side} Dmax: {most:.6f}"
    yield f"{side} PDV: {worst - least:.6f}"


def _at_rank(delay: Delay, rank: int, penalty_ms: int) -> float:
    if rank > delay.count or delay.p999_ns is None:
        return float(penalty_ms)
    if rank == math.ceil(round(P999 * delay.count, 6)) or delay.histogram is None:
        return delay.p999_ns / _NS_PER_MS
    return delay.histogram.at_rank(rank) / _NS_PER_MS
