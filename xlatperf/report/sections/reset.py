"""Reset (RFC 6201 §4): how long the device does not forward, by both methods of §1.3."""

from __future__ import annotations

from functools import partial

from xlatperf.procedures.latency import FRAMES_LOST as LOST
from xlatperf.procedures.reset import BY_LOSS, BY_TIME_STAMPS, RESTART, Reset
from xlatperf.report import headline, words
from xlatperf.report.columns import (
    average,
    repetitions,
)
from xlatperf.report.every_repetition import every_repetition
from xlatperf.report.evidence import Evidence
from xlatperf.report.identity import identity
from xlatperf.report.line import Line, of_directions
from xlatperf.report.markup import Content, Markup, paragraph, render
from xlatperf.report.numerals import NONE, megabits, whole
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.remarks import remarks
from xlatperf.report.scale import milli
from xlatperf.report.section import Section
from xlatperf.report.sections.throughput import mean_sizes
from xlatperf.report.sentence import each_direction, of_times, over, strong_mean
from xlatperf.report.table import Column, table
from xlatperf.report.values import all_values, directions, find, parameters, total
from xlatperf.results.results import Measurement
from xlatperf.results.value_records import ValueSeries

_RESETS = {
    "process": "its process (§4.2.2)",
    "operating_system": "its operating system (§4.2.1)",
    "routing_processor": "its routing processor (§4.1.1)",
    "line_card": "a line card (§4.1.2)",
    "power": "by an interruption of its power (§4.3.1)",
}
_EVENTS = {"restart": "the driver restarts", "manual": "by hand or by a switched socket"}


def _tables(evidence: Evidence, measurements: list[Measurement]) -> Section:
    columns = identity(measurements, evidence.families)
    scale = milli(all_values(measurements, lambda one: one.unit == "s"), "s")
    shown = partial(scale.shown, unit="s")
    restart_call: Column[Line] = Column("Restart call", lambda line: shown(_mean(Line(line.item).find(RESTART))), "ms")
    restarts = any(find(item, RESTART, None) for item in measurements)
    parts: list[Content] = [
        paragraph(
            f"{words.standards(measurements)}. "
            f"{_how(measurements)} By frame loss: frames lost / offered rate. By time stamps: the longest "
            "gap between the arrivals of two right frames (§1.3).",
            class_="lead",
        ),
        table(
            [*columns, Column("L2 rate sent", partial(_bit_rate, evidence), "Mbit/s")],
            of_directions(measurements),
            [
                repetitions("Trials"),
                *average("Reset time by frame loss, ms", BY_LOSS, shown),
                *average("Reset time by time stamps, ms", BY_TIME_STAMPS, shown),
                Column("Average loss", lambda line: whole(_mean(line.find(LOST))), "frames"),
                *([restart_call] if restarts else []),
            ],
            why_not=Line.why_not,
        ),
        paragraph(
            "UDP over Ethernet at a constant rate. If both methods have a result, the more accurate one counts "
            "(§1.3): frame loss counts every frame that was lost, the gap only the longest interruption"
            + ("; the restart call is how long the driver's restart took by itself." if restarts else "."),
            class_="muted",
        ),
        remarks(measurements),
        every_repetition(measurements, columns, Reset.quantities, scale),
    ]
    return Section("reset", "Reset", render(parts))


def _how(measurements: list[Measurement]) -> str:
    said = []
    for item in measurements:
        found = parameters(item, "event", "event_at_s", "duration_s", "reset_of")
        if found is None or found["event"] not in _EVENTS or found["reset_of"] not in _RESETS:
            continue
        said.append(
            f"The device is reset {found['event_at_s']} s after the beginning of a stream of {found['duration_s']} s: "
            f"{_EVENTS[found['event']]}, {_RESETS[found['reset_of']]}."
        )
        off = parameters(item, "power_off_s")
        if off is not None:
            said.append(f"The {off['power_off_s']} s for which the power is off are subtracted.")
    return " ".join(dict.fromkeys(said))


def _bit_rate(evidence: Evidence, line: Line) -> Content:
    """What its direction sends; of a measurement without a result the first one."""
    left, right = mean_sizes(line.item, evidence.families)
    size = left if (line.direction or directions(line.item)[0]) == "forward" else right
    return NONE if line.item.rate_fps is None else megabits(line.item.rate_fps * 8 * size)


def _mean(found: ValueSeries | None) -> float | None:
    return None if found is None else found.mean


def _sentence(evidence: Evidence, item: Measurement) -> Content:  # noqa: ARG001
    def said() -> Content:
        lossless = not sum(total(item, LOST, name) or 0 for name in directions(item))
        parts: list[Content] = []
        for quantity, method in ((BY_LOSS, "by frame loss"), (BY_TIME_STAMPS, "by time stamps")):
            means = {name: strong_mean(item, quantity, name) for name in directions(item)}
            if quantity is BY_LOSS and lossless:
                parts.append("no frame was lost; longest gap between arrivals ")
            elif any(mean is not None for mean in means.values()):
                before = "no forwarding for " if not parts else "" if lossless else "; "
                parts.append([before, each_direction(item, means.get), f" {method}"])
        return [parts, f" ({over(item, 'average')})"]

    return of_times(item, said)


def _cards(measurements: list[Measurement]) -> list[Markup]:
    return headline.worst(measurements, BY_LOSS, "reset, by frame loss")


REPORT = OfProcedure(Reset, _tables, _sentence, _cards)
