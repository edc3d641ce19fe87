"""Scalability (RFC 9693 §5, §6): how the rates follow the number of connections, subscribers and CPU cores."""

from __future__ import annotations

from xlatperf.report.evidence import Evidence
from xlatperf.report.markup import Content, element, paragraph, render
from xlatperf.report.plots import scale_up as plots
from xlatperf.report.scalability import as_html
from xlatperf.report.scalability.groups import Group, Over, groups
from xlatperf.report.scalability.tables import tables
from xlatperf.report.section import Section

_SCALE_UP = (
    "Relative scale-up (draft-lencse-v6ops-transition-scalability): over connections and subscribers P(ni) / P(n0), n0 "
    "being the smallest number; over cores P(n) / (n P(1)); P is the median. 1 is ideal."
)
_CAPACITY = (
    "C0, R0: where the search for the capacity began; CS, RS, CT: safe number, its rate and the number that failed, at "
    "the end of the exponential search; C: the capacity (RFC 9693 §4.9)."
)
_FILES = "The tables are also in scalability.csv, and for LaTeX in scalability.tex."


def section(evidence: Evidence) -> Section | None:
    """None if nothing was measured for more than one number of anything, and no capacity."""
    found, all_tables = groups(evidence.results.measurements), tables(evidence)
    if not all_tables:
        return None
    about = dict.fromkeys(group.over.axis.about for group in found if group.over.axis is not None)
    parts: list[Content] = [
        paragraph(f"{' '.join([*about, _SCALE_UP] if found else [_CAPACITY])} {_FILES}", class_="lead"),
        _plots(found),
    ]
    parts += [as_html.shown(one) for one in all_tables]
    parts.append(
        paragraph(
            "Error: of the binary search, the largest of all repetitions."
            + (
                " Sizes of the connection tracking table are those of the column, or those that the device had when "
                "the campaign began (environment.json)."
                if any(item.connections is not None for item in evidence.results.measurements)
                else ""
            ),
            class_="muted",
        )
    )
    return Section("scalability", "Scalability", render(parts))


def _plots(found: list[Group]) -> Content:
    """One for each kind of frames and axis."""
    together: dict[tuple[Over, str], list[Group]] = {}
    for group in found:
        if group.over.axis is None:
            continue
        together.setdefault((group.over, group.where), []).append(group)
    drawn: list[Content] = []
    for (over, where), members in together.items():
        figure = plots.plot(members, f"plot-scale-{len(drawn)}")
        if figure is not None:
            drawn.append(element("div", element("h3", f"Rates over {over.counted}, {where}"), figure))
    if not drawn:
        return None
    return [
        drawn,
        paragraph(
            "Markers are medians, bars go from the minimum to the maximum; a triangle: at least, as it wasn't the "
            "device that limited.",
            class_="muted",
        ),
    ]
