"""Says in plain words what `check` saw, and what to look at. A pure function of one trial's answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from xlatperf.engine.acceptable import ACCEPTED, REMARK_OF, reason_of
from xlatperf.engine.direction_answer import ClassCounters, Direction
from xlatperf.engine.icmp import icmp_name
from xlatperf.engine.message import SideName, TrafficClass
from xlatperf.engine.trial_answer import IcmpErrors, MovedGateway, PortCounts, Sample, TrialAnswer
from xlatperf.keys.does import Does
from xlatperf.meaning.about import About
from xlatperf.meaning.lost_frames import lost_frames
from xlatperf.meaning.meanings import (
    SIDE,
    STILL_ARRIVING,
    TESTER,
    icmp_meaning,
    waited,
)
from xlatperf.meaning.spoilt import spoilt, spoilt_fields
from xlatperf.meaning.unrecognised import for_instance, told_otherwise
from xlatperf.meaning.wrong import remark_meaning, wrong_meaning

_NOTHING_MORE = About()


def explain(answer: TrialAnswer, diagnosis: Sequence[str] = (), about: About = _NOTHING_MORE) -> list[str]:
    """Lines about everything that is not as it must be; empty if all frames came back right and without remarks.

    `diagnosis`: what the device's driver says about itself; shown when frames are missing.
    """
    lines: list[str] = []
    if not answer.valid:
        lines.append("The trial is not valid: it says nothing about the DUT.")
        lines += [f"  {TESTER.get(reason.code, reason.code)} ({reason.text})" for reason in answer.reasons]
    for name, direction in answer.directions.items():
        for traffic_class, counters in direction.classes.items():
            lines += _frames(name, traffic_class, direction, about)
            lines += _samples(answer.samples, name, traffic_class, {**counters.wrong, **spoilt(counters, ())})
            lost = lost_frames(name, traffic_class, answer, about)
            lines += lost.in_lines(f"{name} {traffic_class}") if lost is not None else []
        lines += _not_taken(name, direction)
        if direction.still_arriving:
            lines.append(f"{name}: {STILL_ARRIVING}.")
        lines += _after_stalls(name, direction)
    sides: tuple[tuple[SideName, PortCounts], ...] = (("left", answer.left), ("right", answer.right))
    for side, counts in sides:
        lines += _port(side, counts, told_otherwise(answer))
    if _missing(answer):
        lines += [moved(gateway) for gateway in answer.moved_gateways]
    if diagnosis and _missing(answer):
        lines.append("The DUT's driver says:")
        lines += [f"  {line}" for line in diagnosis]
    return lines


def _missing(answer: TrialAnswer) -> bool:
    return any(
        counters.expected < counters.sent
        for direction in answer.directions.values()
        for counters in direction.classes.values()
    )


def wrong_frames(answer: TrialAnswer, *, does: Does) -> list[str]:
    """Lines about the frames that came back wrong, with an example of each reason."""
    return _lines_of(answer, does, lambda counters: counters.wrong)


def spoilt_frames(answer: TrialAnswer, *, does: Does, accept: Collection[str]) -> list[str]:
    """The same of those that are wrong only in fields that the engine accepts, and `accept` doesn't have."""
    return _lines_of(answer, does, lambda counters: spoilt(counters, accept))


def _lines_of(answer: TrialAnswer, does: Does, which: Callable[[ClassCounters], Mapping[str, int]]) -> list[str]:
    return [
        line
        for name, direction in answer.directions.items()
        for of, counters in direction.classes.items()
        for line in (
            *_wrong(f"{name} {of}", of, which(counters), counters.sent, does),
            *_samples(answer.samples, name, of, which(counters)),
        )
    ]


def _wrong(what: str, of: TrafficClass, counts: Mapping[str, int], sent: int, does: Does) -> list[str]:
    return [
        f"{what}: {_share(count, sent)}: {reason}: {wrong_meaning(reason, of, does)}."
        for reason, count in counts.items()
    ]


def _frames(name: str, of: TrafficClass, direction: Direction, about: About) -> list[str]:
    what, counters = f"{name} {of}", direction.classes[of]
    spoils = spoilt(counters, about.accept)
    lines = _wrong(what, of, {**counters.wrong, **spoils}, counters.sent, about.does)
    lines += [
        f"{what}: {count} of {counters.sent} frames, a remark: {reason}: {remark_meaning(reason, of, about.does)}."
        for reason, count in counters.remarks.items()
        if reason != ACCEPTED and reason_of(reason) not in spoils
    ]
    return lines


def _share(count: int, sent: int) -> str:
    """Fragments and duplicates may be more than what was sent."""
    return f"{count} of {sent} frames" if count <= sent else f"{count} frames for {sent} that were sent"


def _samples(samples: Sequence[Sample], direction: str, traffic_class: str, reasons: Iterable[str]) -> list[str]:
    """The first sample of each reason of this direction and class."""
    lines: list[str] = []
    for reason in reasons:
        for sample in samples:
            if (
                sample.reason in (reason, REMARK_OF.get(reason))
                and sample.direction == direction
                and sample.traffic_class in (None, traffic_class)
            ):
                if sample.text:
                    lines.append(f"  {for_instance(sample)}")
                if sample.received is not None:
                    lines.append(f"    received {sample.received}")
                if sample.expected is not None:
                    lines.append(f"    expected {sample.expected}")
                break
    return lines


def moved(gateway: MovedGateway) -> str:
    """Frames went where nobody is, or somebody else."""
    side, question = gateway.side, "ARP" if gateway.family == "ipv4" else "Neighbor Discovery"
    answers = f"{gateway.gateway} answers {question} from {gateway.answers_from}"
    if gateway.given:
        return (
            f"{side}: frames went to {gateway.sent_to}, which is tester.{side}.gateway_mac of the bench file, but "
            f"{answers}: correct it, or leave it out, and the Tester asks."
        )
    return f"{side}: frames went to {gateway.sent_to}, as it answered at first, but now {answers}: are there two?"


def _not_taken(name: str, direction: Direction) -> list[str]:
    unsent = direction.intended - direction.sent
    said = [f"{name}: {unsent} of {direction.intended} frames were never sent."] if unsent else []
    if direction.waited_ns:
        said.append(f"{name}: {waited(direction.waited_ns)}.")
    count = direction.departure.not_taken
    if not count:
        return said
    return [
        *said,
        f"{name}: {count} of {direction.sent} frames never left the Tester's port: the DUT didn't take them, out of "
        "the memory that it shares with the port or at the other end of the interface; does it run, on its own core?",
    ]


def _after_stalls(name: str, direction: Direction) -> list[str]:
    count = direction.departure.lost_after_stall
    # Where most are missing it is no queue that the Tester filled.
    if not count or any(2 * counters.lost >= counters.sent > 0 for counters in direction.classes.values()):
        return []
    return [
        f"{name}: {count} of the lost frames left right after the Tester itself was held up, faster than they were "
        "due: that may be why; try again, or give the Tester a core of its own"
    ]


def _icmp(side: str, error: IcmpErrors) -> str:
    name = icmp_name(error.version, error.type, error.code)
    meaning = icmp_meaning(error.version, error.type, error.code)
    return f"{side}: {error.count} {name} from {error.sender or 'an unknown sender'}: {meaning}."


def _port(side: SideName, counts: PortCounts, told: Collection[tuple[SideName, str]]) -> list[str]:
    lines = [_icmp(side, error) for error in counts.icmp_errors]
    lines += [
        f"{side}: {getattr(counts, name)} {name}: {meaning}."
        for name, meaning in SIDE.items()
        if getattr(counts, name) and (side, name) not in told
    ]
    if not counts.link_up:
        lines.append(f"{side}: the link is down.")
    return lines


def is_right(answer: TrialAnswer, accept: Collection[str] = ()) -> bool:
    """Whether the DUT forwards and translates as it must: valid, and every frame expected, or spoilt as is accepted."""
    return answer.valid and not _missing(answer) and not spoilt_fields([answer], accept)
