"""Latency (RFC 8219 §7.2): typical and worst-case latency of tagged frames, beside those of the Tester alone."""

from __future__ import annotations

from functools import partial

from xlatperf.engine.message import DirectionName
from xlatperf.procedures.latency import TAGS_LOST, TAGS_RECEIVED, TAGS_SENT, TL, WCL, Latency
from xlatperf.report import headline, words
from xlatperf.report.columns import always, frames_lost, lost_share, repetitions, spread, tester_alone, total
from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, element, paragraph
from xlatperf.report.numerals import whole
from xlatperf.report.of_procedure import OfProcedure
from xlatperf.report.plots import distribution
from xlatperf.report.scale import best
from xlatperf.report.selection import Selection
from xlatperf.report.sentence import by_direction, of_classes, strong
from xlatperf.report.table import Column
from xlatperf.report.told import of_parameters
from xlatperf.report.values import alone, directions, median_of
from xlatperf.report.values import total as total_of
from xlatperf.results.results import Measurement

_TAGGED = "Tagged frames, all trials"


def _definitions(of: Selection) -> Content:
    definitions = dict.fromkeys(item.definition for item in of.measurements if item.definition)
    return [paragraph(element("strong", "Definition of latency used: "), text, class_="note") for text in definitions]


def _each(item: Measurement, name: DirectionName) -> Content:
    typical = median_of(item, TL, name)
    if typical is None:
        return None
    worst = strong(median_of(item, WCL, name))
    return ["typical ", strong(typical), ", worst-case ", worst, of_classes(item, (TL, WCL), name)]


def _beside(_: Evidence, item: Measurement) -> str:
    tagged = sum(total_of(item, TAGS_SENT, name) or 0 for name in directions(item))
    lost = sum(total_of(item, TAGS_LOST, name) or 0 for name in directions(item))
    own = [one for name in directions(item) if (one := alone(item, name)) is not None]
    most = [
        best(max(value or 0 for value in values))
        for values in zip(*((one.tl_ns, one.wcl_ns) for one in own), strict=True)
    ]
    tester = f"; the Tester alone takes {' and '.join(most)}" if most else ""
    return f", {lost:,.0f} of {tagged:,.0f} tagged frames lost{tester}"


REPORT = OfProcedure(
    procedure=Latency,
    about=(
        of_parameters(
            "Streams of {duration_s} s; {tags} frames per direction are tagged, after {tags_from_s} s.",
        ),
        "TL, typical latency: the median delay of a trial's tagged frames. WCL, worst-case latency: their 99.9th "
        "percentile. A frame that was lost has no delay: read each row with its losses.",
    ),
    given=(always(Column("Media", lambda line: whole(line.item.media_mbps), "Mbit/s")),),
    values=(
        repetitions(),
        spread("TL", TL),
        spread("WCL", WCL),
        tester_alone("TL", lambda own: own.tl_ns),
        tester_alone("WCL", lambda own: own.wcl_ns),
        total("Sent", TAGS_SENT, _TAGGED),
        total("Received", TAGS_RECEIVED, _TAGGED),
        always(Column("Lost", lambda line: lost_share(line.total(TAGS_LOST), line.total(TAGS_SENT)), "", _TAGGED)),
        frames_lost(),
    ),
    note=(
        "Medians over the N trials (P1 and P99 are minimum and maximum for N below 100, RFC 2330 §11.3). Exact values "
        "show under the pointer. Tester alone: the same frames at the same rate",
        lambda measurements: f"{words.where_alone(measurements)}. The DUT's columns have this in them.",
    ),
    classes=" As many frames of each class are tagged as of all.",
    parts=(_definitions,),
    plots=(distribution.figures,),
    sentence=by_direction(_each, _beside),
    cards=partial(
        headline.worst,
        quantity=TL,
        unit="typical latency (TL)",
        beside=lambda item, found: f"worst-case (WCL): {best(median_of(item, WCL, found.direction))}",
        tester=lambda own: own.tl_ns,
    ),
)
