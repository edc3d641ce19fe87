"""`xlatperf check` of a stateful DUT: opens a few connections, and sees whether each takes a frame back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xlatperf.commands.check_burst import burst
from xlatperf.commands.check_trials import CheckTrials
from xlatperf.commands.checked import Checked
from xlatperf.commands.show import frame_sizes
from xlatperf.config.bench import Bench
from xlatperf.config.request import configure_message
from xlatperf.engine.trial_answer import Experiment, TrialAnswer
from xlatperf.meaning.meanings import SHARED
from xlatperf.procedures.connections import ACCIDENT_SHARE, Connections
from xlatperf.procedures.full_table import filled_up, held_too_few
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.session import Session

TRAFFIC_CLASS = 0xB8
"""Expedited forwarding, so that a traffic class that was not copied shows (RFC 7915 §4.1, §5.1)."""
FEW, AT_ONCE_S = 100, 0.1
"""So few connections are opened within that time, and used as soon as they are known to be open."""
TIMES = 2
"""What is forgotten is gone each time; a host that holds Tester or DUT up takes frames away once."""


@dataclass(frozen=True)
class LowLoad:
    """How gently the check goes about it. `hold_s`: for so long the DUT must remember connections."""

    rate_fps: float
    duration_s: float
    timeout_s: float
    hold_s: float


def check_connections(bench: Bench, running: Session, load: LowLoad) -> Iterator[Checked]:
    """The smallest and the largest frame: phase 1, one frame back on each, phase 2; then the DUT's memory.

    Raises EngineError, EngineDied, DeviceError.
    """
    trials = CheckTrials(bench, running, first_tag=1)
    trials.configure(configure_message(bench, bench.traffic.mix[0], traffic_class=TRAFFIC_CLASS))
    number = max(1, min(bench.four_tuples().size, int(load.rate_fps * load.duration_s)))

    def request_of(size: int, connections: Connections) -> TrialRequest:
        plain = TrialRequest(size, bench.traffic.frame_size_of, load.rate_fps, load.duration_s, load.timeout_s)
        return plain.experiment(connections, load.rate_fps, "check")

    def run(size: int, connections: Connections) -> TrialAnswer:
        return trials.undisturbed(request_of(size, connections))

    def few_of(size: int, wait_s: float = 0.0) -> TrialAnswer:
        few = max(1, min(FEW, number, int(load.rate_fps * AT_ONCE_S)))
        return run(size, Connections(few, "each_once", load.rate_fps, wait_s=wait_s))

    def kept(size: int) -> TrialAnswer:
        return run(size, Connections(number, "each_once", load.rate_fps, wait_s=load.hold_s))

    sizes = frame_sizes(bench)
    longest_s = 2 * number / load.rate_fps + load.timeout_s
    for size in sorted({sizes[0], sizes[-1]}):
        what, held = "one frame back on each", None
        if load.hold_s and size == sizes[0]:
            held = kept(size)
        if held is not None and held.complete:
            what, once, held = f"{what} after {load.hold_s:g} s", held, None
        else:
            once = run(size, Connections(number, "each_once", load.rate_fps))
        forgets: list[str] = []
        if once.directions and not once.complete and few_of(size).complete:
            for _ in range(TIMES):
                forgets = list(_forgets(longest_s, few_of(size, longest_s)))
                if not forgets:
                    break
        yield from _phases(what, size, "reverse", once, forgets)
        if not once.complete:
            continue
        used_again = Connections(number, "steady", load.rate_fps, reuse=True)
        steady = run(size, used_again)
        yield _last("phase 2", size, "bidirectional", steady)
        if size == sizes[0] and steady.complete:
            yield burst(trials, request_of(size, used_again), "phase 2", only_routes=False)
        if held is not None:  # that was the first time
            held = kept(size)
            faults = tuple(_memory(bench, load, held, number))
            yield _last(f"{what} after {load.hold_s:g} s", size, "reverse", held, faults)


def _forgets(longest_s: float, waited: TrialAnswer) -> Iterator[str]:
    """Frames are missing, of few connections that are used at once none: is it only that too much time went by?"""
    if waited.reverse is None or not waited.valid:
        return
    count, lost = waited.reverse.sent, waited.reverse.sent - waited.reverse.foreground.expected
    if lost > count * ACCIDENT_SHARE:
        yield (
            f"The DUT forgets connections within {longest_s:.1f} s: {lost:,} of {count:,} were gone after that time, "
            "none without waiting: set its UDP timeout longer (RFC 9693 §4.4)."
        )


def _phases(what: str, size: int, direction: str, answer: TrialAnswer, more: Sequence[str] = ()) -> Iterator[Checked]:
    """Phase 1, and what followed if it was complete."""
    experiment = answer.experiment or Experiment()
    first = experiment.first_phase
    if first is not None:
        faults = list(_shared(experiment))
        full = filled_up(first.forward, experiment.held) if first.valid and first.forward is not None else None
        if full is not None:
            faults.append(full)
        if experiment.collapsed is not None:
            faults.append(f"The DUT collapsed: {experiment.collapsed}.")
        back = answer.reverse
        worked = back.foreground.expected if back is not None else None
        mappings = tuple(_mappings(experiment, worked))
        yield Checked("phase 1", size, "forward", first, tuple(faults), mappings, explained=full is not None)
    if answer.directions or first is None:
        yield _last(what, size, direction, answer, more)


def _last(what: str, size: int, direction: str, answer: TrialAnswer, more: Sequence[str] = ()) -> Checked:
    faults = list(more)
    first = answer.experiment.first_phase if answer.experiment is not None else None
    back = answer.reverse
    if first is not None and not answer.directions:
        faults.append("Phase 1, which comes before, was not complete.")
        return Checked(what, size, direction, first, tuple(faults))
    if back is not None and back.sent and not more and not back.foreground.expected and not back.foreground.wrong:
        faults.append(
            "All connections were opened, but no frame comes back: does the DUT know a route to the addresses that it "
            "translated clients to, that is to itself, and from there to the clients? Is there a filter on answers?"
        )
    return Checked(what, size, direction, answer, tuple(faults), explained=bool(more))


def _shared(experiment: Experiment) -> Iterator[str]:
    mappings = experiment.mappings
    if mappings is None or not mappings.shared:
        return
    yield f"{mappings.shared:,} of {mappings.learnt:,} connections: shared mapping: {SHARED}."
    yield from (f"  for instance {example}" for example in mappings.examples)


def _mappings(experiment: Experiment, worked: int | None) -> Iterator[str]:
    """What the DUT makes of the clients' addresses and ports: to be compared with its configuration. `worked`: so many
    connections did afterwards, where each was tried once."""
    mappings = experiment.mappings
    if mappings is None or not mappings.learnt:
        return
    sources = ", ".join(f"{address} ({number:,})" for address, number in mappings.addresses[:4])
    more = len(mappings.addresses) - 4 + mappings.other_addresses
    others = f" and {more:,} more" if more > 0 else ""
    yield (
        f"sources after translation: {sources}{others}, ports {mappings.lowest_port} to {mappings.highest_port}; "
        f"{mappings.ports_kept:,} of {mappings.learnt:,} connections kept their port."
    )
    too_few = held_too_few(experiment.held, mappings.learnt, worked)
    if too_few is not None:
        yield f"{too_few}."


def _memory(bench: Bench, load: LowLoad, answer: TrialAnswer, number: int) -> Iterator[str]:
    """R9693-4.4-1: the UDP timeout must be longer than phase 1, gap and phase 2."""
    lost = sum(direction.sent - direction.foreground.expected for direction in answer.directions.values())
    needed = [
        max(measure.counts_of_connections.values()) / (measure.given_establish_fps or load.rate_fps) + measure.sending_s
        for measure in bench.measure
        if measure.sending_s
    ]
    if lost:
        yield (
            f"The DUT forgot {lost:,} of {number:,} connections within {load.hold_s:g} s, right after opening it had "
            "none forgotten: set its UDP timeout longer (RFC 9693 §4.4)"
            + (f"; the measures need up to {max(needed):,.0f} s." if needed else ".")
        )
