"""`xlatperf check` of a stateful DUT: opens a few connections, and sees whether each takes a frame back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from xlatperf.commands.check_burst import burst
from xlatperf.commands.check_trials import CheckTrials
from xlatperf.commands.checked import Checked
from xlatperf.commands.show import frame_sizes, mixes
from xlatperf.config.bench import Bench
from xlatperf.config.request import configure_message
from xlatperf.engine.acceptable import ACCEPTABLE
from xlatperf.engine.trial_answer import Experiment, TrialAnswer
from xlatperf.meaning.meanings import SHARED
from xlatperf.procedures.connection_check import CheckStep, ConnectionCheck, connection_check
from xlatperf.procedures.first_look import TRAFFIC_CLASS
from xlatperf.procedures.full_table import filled_up, held_too_few
from xlatperf.procedures.shortfall import never_came
from xlatperf.procedures.trial import Trial
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.progress import asked
from xlatperf.run.session import Session
from xlatperf.technologies.stateful import StatefulTechnology


@dataclass(frozen=True)
class LowLoad:
    """How gently the check goes about it. `hold_s`: for so long the DUT must remember connections."""

    rate_fps: float
    duration_s: float
    timeout_s: float
    hold_s: float


def check_connections(bench: Bench, running: Session, load: LowLoad, say: Callable[[str], None]) -> Iterator[Checked]:
    """The smallest and the largest frame, in words. Raises EngineError, EngineDied, DeviceError."""
    trials = CheckTrials(bench, running, first_tag=1)
    trials.configure(configure_message(bench, bench.traffic.mix[0], traffic_class=TRAFFIC_CLASS, accept=ACCEPTABLE))
    number = max(1, min(bench.four_tuples().size, int(load.rate_fps * load.duration_s)))
    sizes = frame_sizes(bench)
    first = sizes[0]
    plain = TrialRequest(first, bench.traffic.frame_size_of, load.rate_fps, load.duration_s, load.timeout_s)
    check = ConnectionCheck(plain, number, sorted({first, sizes[-1]}), load.hold_s)

    technology = bench.technology
    assert isinstance(technology, StatefulTechnology)  # noqa: S101 - it has connections
    pool = technology.pool_size, technology.pool_in_words

    def measure(request: TrialRequest) -> Trial:
        say(f"trying: {request.frame_size} bytes, {asked(request)}")
        return trials.undisturbed(request)

    for step in connection_check(check, measure):
        what = "phase 2" if step.kind == "steady" else "one frame back on each"
        what += f" after {step.waited_s:g} s" if step.waited_s else ""
        if step.kind == "each_once":
            yield from _phases(what, step.size, step.trial, pool, list(_forgets(check, step)))
        elif step.kind == "steady":
            yield _last(what, step.size, "bidirectional", step.trial)
            for mixed in mixes(bench) if step.size == first and step.trial.complete else ():
                in_turn = replace(check.request(mixed.mean, check.used_again), frame_sizes=mixed.in_turn)
                say(f"trying: {mixed} bytes in turn, {asked(in_turn)}")
                yield _last(f"{what}, {mixed}", mixed.mean, "bidirectional", trials.undisturbed(in_turn))
            if step.size == first and step.trial.complete:
                yield burst(trials, check.request(first, check.used_again), what, does=technology.does)
        else:
            yield _last(what, step.size, "reverse", step.trial, tuple(_memory(bench, load, step.trial, number)))


def _forgets(check: ConnectionCheck, step: CheckStep) -> Iterator[str]:
    if step.forgotten is not None:
        lost, count = step.forgotten
        yield (
            f"The DUT forgets connections within {check.longest_s:.1f} s: {lost:,} of {count:,} were gone after that "
            "time, none without waiting: set its UDP timeout longer (RFC 9693 §4.4)."
        )


def _phases(
    what: str, size: int, answer: TrialAnswer, pool: tuple[int, str], more: Sequence[str] = ()
) -> Iterator[Checked]:
    """Phase 1, and what followed if it was complete: frames back. `pool`: its size, and what these are."""
    experiment = answer.experiment or Experiment()
    first = experiment.first_phase
    if first is not None:
        faults = list(_shared(experiment))
        opened = first.forward if first.valid else None
        full = filled_up(opened, experiment.held, *pool) if opened is not None else None
        if full is not None:
            faults.append(full)
        if experiment.collapsed is not None:
            faults.append(f"The DUT collapsed: {experiment.collapsed}.")
        back = answer.reverse
        worked = back.foreground.expected if back is not None else None
        mappings = tuple(_mappings(experiment, worked))
        yield Checked("phase 1", size, "forward", first, tuple(faults), mappings, explained=full is not None)
    if answer.directions or first is None:
        yield _last(what, size, "reverse", answer, more)


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
    lost = never_came(answer)
    needed = [
        max(measure.counts_of_connections.values()) / (wanted.given_fps or load.rate_fps) + measure.sending_s
        for measure in bench.measure
        if measure.sending_s and (wanted := measure.phase_1) is not None
    ]
    if lost:
        yield (
            f"The DUT forgot {lost:,} of {number:,} connections within {load.hold_s:g} s, right after opening it had "
            "none forgotten: set its UDP timeout longer (RFC 9693 §4.4)"
            + (f"; the measures need up to {max(needed):,.0f} s." if needed else ".")
        )
