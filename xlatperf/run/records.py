"""Turns journal entries into the compact trial records of results.json."""

from __future__ import annotations

from xlatperf.engine.client import parse_trial
from xlatperf.engine.message import SideName
from xlatperf.engine.trial_answer import (
    ClassCounters,
    Delay,
    Delays,
    Direction,
    ExperimentAnswer,
    PortCounts,
    Sample,
    TrialAnswer,
)
from xlatperf.meaning.meanings import icmp_meaning
from xlatperf.results.trial_records import (
    ClassRecord,
    DelaysRecord,
    DelaySummary,
    DelayVariationRecord,
    DirectionRecord,
    EventRecord,
    ExperimentRecord,
    GapRecord,
    IcmpRecord,
    MappingsRecord,
    MovedGatewayRecord,
    PhaseRecord,
    SampleRecord,
    TaggedRecord,
    TrialReason,
    TrialRecord,
    TrialRequestRecord,
)
from xlatperf.run.journal import Entry

SAMPLES_PER_TRIAL = 8
_COUNTERS = (
    "received",
    "arp_nd",
    "stale",
    "returned",
    "foreign",
    "malformed",
    "receive_drops",
    "transmit_errors",
    "no_buffers",
)


def delay_summary(delay: Delay) -> DelaySummary:
    """Without the histogram."""
    return DelaySummary.model_validate(delay.model_dump(exclude={"histogram"}))


def _class_record(counters: ClassCounters) -> ClassRecord:
    return ClassRecord(
        sent=counters.sent,
        expected=counters.expected,
        lost=counters.lost,
        wrong=counters.wrong(),
        remarks=counters.remarks(),
        **dict(delays_record(counters)),
    )


def delays_record(found: Delays) -> DelaysRecord:
    """Without histograms."""
    tagged, variation, due = found.tagged, found.delay_variation, found.delay_from_due
    return DelaysRecord(
        delay=delay_summary(found.delay),
        tagged=TaggedRecord.model_validate(tagged.model_dump()) if tagged is not None else None,
        delay_variation=DelayVariationRecord.model_validate(variation.model_dump()) if variation is not None else None,
        delay_from_due=delay_summary(due) if due is not None else None,
    )


def direction_record(direction: Direction | None) -> DirectionRecord | None:
    """One direction; None stays None."""
    if direction is None:
        return None
    sent = sum(counters.sent for _, counters in direction.classes())
    loss = sent - sum(counters.expected for _, counters in direction.classes())
    departure, gap = direction.departure, direction.longest_gap
    return DirectionRecord(
        intended=direction.intended,
        sent=direction.sent,
        offered_fps=direction.offered_fps,
        loss=loss,
        loss_percent=100 * loss / sent if sent else 0.0,
        frame_size_sent=direction.frame_size.sent,
        frame_size_received=direction.frame_size.received,
        foreground=_class_record(direction.foreground),
        background=_class_record(direction.background) if direction.background is not None else None,
        together=delays_record(direction.together) if direction.together is not None else None,
        late_frames=departure.late_frames if departure is not None else 0,
        not_taken=departure.not_taken if departure is not None else 0,
        longest_stall_ns=departure.longest_stall_ns if departure is not None else None,
        stalls=departure.stalls if departure is not None else 0,
        lost_after_stall=departure.lost_after_stall if departure is not None else 0,
        last_lost=direction.last_lost,
        longest_gap=GapRecord.model_validate(gap.model_dump()) if gap is not None else None,
    )


def sample_record(sample: Sample) -> SampleRecord:
    """A wrong frame with its bytes."""
    known = sample.class_ if sample.class_ in ("foreground", "background") else None
    return SampleRecord.model_validate({**sample.model_dump(exclude={"class_"}), "traffic_class": known})


def bounded_samples(samples: tuple[Sample, ...]) -> tuple[SampleRecord, ...]:
    """At most SAMPLES_PER_TRIAL, the first of each kind before the second of any."""
    seen: dict[tuple[str, str | None], int] = {}
    ranked: list[tuple[int, int, Sample]] = []
    for position, sample in enumerate(samples):
        kind = (sample.reason, sample.direction)
        ranked.append((seen.get(kind, 0), position, sample))
        seen[kind] = seen.get(kind, 0) + 1
    ranked.sort(key=lambda item: item[:2])
    return tuple(sample_record(sample) for _, _, sample in ranked[:SAMPLES_PER_TRIAL])


def _icmp(answer: TrialAnswer) -> tuple[IcmpRecord, ...]:
    sides: tuple[tuple[SideName, PortCounts], ...] = (("left", answer.left), ("right", answer.right))
    return tuple(
        IcmpRecord(
            side=side,
            version=error.version,
            type=error.type,
            code=error.code,
            count=error.count,
            sender=error.sender,
            meaning=icmp_meaning(error.version, error.type, error.code),
        )
        for side, counts in sides
        for error in counts.icmp_errors
    )


def phase_record(answer: TrialAnswer) -> PhaseRecord:
    """One phase."""
    connections = answer.connections
    return PhaseRecord(
        valid=answer.valid,
        reasons=tuple(TrialReason(code=reason.code, text=reason.text) for reason in answer.reasons),
        elapsed_s=answer.elapsed_s,
        forward=direction_record(answer.forward),
        reverse=direction_record(answer.reverse),
        port_counters={
            "left": {name: getattr(answer.left, name) for name in _COUNTERS},
            "right": {name: getattr(answer.right, name) for name in _COUNTERS},
        },
        icmp_errors=_icmp(answer),
        samples=bounded_samples(answer.samples),
        learnt=connections.learnt if connections is not None else None,
        server_ports=connections.server_ports if connections is not None else None,
        bytes_per_connection=connections.bytes_per_connection if connections is not None else None,
    )


def _experiment(found: ExperimentAnswer | None) -> ExperimentRecord | None:
    if found is None:
        return None
    mappings = found.mappings
    return ExperimentRecord(
        first_phase=phase_record(found.first_phase) if found.first_phase is not None else None,
        held_before=found.held_before,
        held=found.held,
        old_tried=found.old_tried,
        gap_s=found.gap_s,
        cleared_s=found.cleared_s,
        collapsed=found.collapsed,
        mappings=MappingsRecord.model_validate(mappings.model_dump(exclude={"elapsed_s"})) if mappings else None,
    )


def trial_record(entry: Entry) -> TrialRecord:
    """One trial of the journal."""
    answer = parse_trial(entry.answer)
    phase = phase_record(answer)
    return TrialRecord(
        **{name: getattr(phase, name) for name in PhaseRecord.model_fields},
        number=entry.number,
        run=entry.run,
        request=TrialRequestRecord.model_validate(entry.request),
        event=EventRecord.model_validate(answer.event.model_dump()) if answer.event is not None else None,
        moved_gateways=tuple(MovedGatewayRecord.model_validate(one.model_dump()) for one in answer.moved_gateways),
        experiment=_experiment(answer.experiment),
        device_cpu=answer.device_cpu,
    )
