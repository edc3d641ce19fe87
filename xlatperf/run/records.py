"""Turns journal entries into the compact trial records of results.json."""

from __future__ import annotations

from xlatperf.engine.counters import SideCounters
from xlatperf.engine.direction_answer import Direction
from xlatperf.engine.message import SideName
from xlatperf.engine.trial_answer import ExperimentAnswer, PortCounts, Sample, TrialAnswer
from xlatperf.meaning.meanings import icmp_meaning
from xlatperf.results.trial_records import (
    DirectionRecord,
    ExperimentRecord,
    IcmpRecord,
    PhaseRecord,
    SampleRecord,
    TrialRecord,
)
from xlatperf.run.journal import Entry

SAMPLES_PER_TRIAL = 8


def direction_record(direction: Direction | None) -> DirectionRecord | None:
    """One direction; None stays None."""
    if direction is None:
        return None
    sent = sum(counters.sent for _, counters in direction.classes())
    loss = sent - sum(counters.expected for _, counters in direction.classes())
    departure = direction.departure
    return DirectionRecord(
        intended=direction.intended,
        sent=direction.sent,
        offered_fps=direction.offered_fps,
        loss=loss,
        loss_percent=100 * loss / sent if sent else 0.0,
        frame_size_sent=direction.frame_size.sent,
        frame_size_received=direction.frame_size.received,
        foreground=direction.foreground,
        background=direction.background,
        together=direction.together,
        late_frames=departure.late_frames if departure is not None else 0,
        not_taken=departure.not_taken if departure is not None else 0,
        waited_ns=direction.waited_ns,
        longest_stall_ns=departure.longest_stall_ns if departure is not None else None,
        stalls=departure.stalls if departure is not None else 0,
        lost_after_stall=departure.lost_after_stall if departure is not None else 0,
        dropped_at_most=direction.dropped_at_most,
        still_arriving=direction.still_arriving,
        last_lost=direction.last_lost,
        longest_gap=direction.longest_gap,
        intervals=direction.intervals,
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


def _port_counters(counts: PortCounts) -> dict[str, int]:
    return {"received": counts.received, **{name: getattr(counts, name) for name in SideCounters.model_fields}}


def phase_record(answer: TrialAnswer) -> PhaseRecord:
    """One phase."""
    connections = answer.connections
    return PhaseRecord(
        valid=answer.valid,
        reasons=answer.reasons,
        elapsed_s=answer.elapsed_s,
        forward=direction_record(answer.forward),
        reverse=direction_record(answer.reverse),
        port_counters={
            "left": _port_counters(answer.left),
            "right": _port_counters(answer.right),
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
    return ExperimentRecord(
        first_phase=phase_record(found.first_phase) if found.first_phase is not None else None,
        held_before=found.held_before,
        held=found.held,
        old_tried=found.old_tried,
        gap_s=found.gap_s,
        cleared_s=found.cleared_s,
        collapsed=found.collapsed,
        mappings=found.mappings,
    )


def trial_record(entry: Entry) -> TrialRecord:
    """One trial of the journal."""
    answer = entry.answer
    phase = phase_record(answer)
    return TrialRecord(
        **{name: getattr(phase, name) for name in PhaseRecord.model_fields},
        number=entry.number,
        run=entry.run,
        request=entry.request,
        event=answer.event,
        moved_gateways=answer.moved_gateways,
        experiment=_experiment(answer.experiment),
        device_cpu=answer.device_cpu,
        device_load=answer.device_load,
    )
