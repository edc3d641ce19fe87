"""Reset (RFC 6201 §4): how long the device does not forward, by both methods of §1.3."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from xlatperf.procedures.latency import FRAMES_LOST as LOST
from xlatperf.procedures.reset import BY_LOSS, BY_TIME_STAMPS, RESTART, Reset
from xlatperf.report import headline
from xlatperf.report.columns import (
    average,
    repetitions,
    single,
)
from xlatperf.report.evidence import Evidence
from xlatperf.report.line import Line
from xlatperf.report.markup import Content
from xlatperf.report.numerals import NONE, megabits
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.scale import milli
from xlatperf.report.sections.throughput import mean_sizes
from xlatperf.report.selection import Selection
from xlatperf.report.sentence import each_direction, of_times, over, strong_mean
from xlatperf.report.table import Column
from xlatperf.report.told import of_parameters
from xlatperf.report.values import directions, find, total
from xlatperf.results.results import Measurement

_RESETS = {
    "process": "its process (§4.2.2)",
    "operating_system": "its operating system (§4.2.1)",
    "routing_processor": "its routing processor (§4.1.1)",
    "line_card": "a line card (§4.1.2)",
    "power": "by an interruption of its power (§4.3.1)",
}
_EVENTS = {"restart": "the driver restarts", "manual": "by hand or by a switched socket"}


def _bit_rate(of: Selection) -> Iterable[Column[Line]]:
    return [Column("L2 rate sent", partial(_bits, of.evidence.families), "Mbit/s")]


def _bits(families: dict[str, str], line: Line) -> Content:
    """What its direction sends; of a measurement without a result the first one."""
    left, right = mean_sizes(line.item, families)
    size = left if (line.direction or directions(line.item)[0]) == "forward" else right
    return NONE if line.item.rate_fps is None else megabits(line.item.rate_fps * 8 * size)


def _restart_call(of: Selection) -> Iterable[Column[Line]]:
    """Of both directions."""
    if not _restarts(of.measurements):
        return []
    return [Column("Restart call", lambda line: of.shown(line.figure(RESTART, "mean")), of.scale.unit)]


def _restarts(measurements: Sequence[Measurement]) -> bool:
    return any(find(item, RESTART, None) for item in measurements)


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


REPORT = OfProcedure(
    procedure=Reset,
    about=(
        of_parameters(
            "The device is reset {event_at_s} s after the beginning of a stream of {duration_s} s: {event}, "
            "{reset_of}.",
            {"event": _EVENTS, "reset_of": _RESETS},
        ),
        of_parameters("The {power_off_s} s for which the power is off are subtracted."),
        "By frame loss: frames lost / offered rate. By time stamps: the longest gap between the arrivals of two right "
        "frames (§1.3).",
    ),
    scale=milli,
    given=(_bit_rate,),
    values=(
        repetitions("Trials"),
        average("Reset time by frame loss", BY_LOSS),
        average("Reset time by time stamps", BY_TIME_STAMPS),
        single("Frames lost, average", LOST, "mean"),
        _restart_call,
    ),
    note=(
        "UDP over Ethernet at a constant rate. If both methods have a result, the more accurate one counts (§1.3): "
        "frame loss counts every frame that was lost, the gap only the longest interruption.",
        lambda measurements: (
            "The restart call is how long the driver's restart took by itself." if _restarts(measurements) else ""
        ),
    ),
    sentence=_sentence,
    cards=partial(headline.worst, quantity=BY_LOSS, unit="reset, by frame loss"),
)
