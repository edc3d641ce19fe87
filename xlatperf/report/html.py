"""report.html: one file that opens offline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Protocol

import plotly.offline

from xlatperf.files.writing import write_whole
from xlatperf.report.evidence import Evidence
from xlatperf.report.heading import heading
from xlatperf.report.markup import Content, Markup, element, folded, render
from xlatperf.report.section import Section
from xlatperf.report.sections import (
    bench_file,
    connections,
    core_idle,
    definitions,
    degradation,
    delays,
    deviations,
    device_cpu,
    environment,
    findings,
    learnt,
    negative,
    rules,
    scalability,
    summary,
    trials,
    trust,
    vectors,
)
from xlatperf.report.sections.of_procedures import OF_PROCEDURES
from xlatperf.results.results import Results


class _Part(Protocol):
    """A module of `sections`, or what the report says of a procedure."""

    def section(self, evidence: Evidence) -> Section | None:
        """None if there is nothing to say."""


_ORDER: tuple[_Part, ...] = (
    summary,
    *OF_PROCEDURES,
    scalability,
    degradation,
    device_cpu,
    core_idle,
    vectors,
    connections,
    delays,
    learnt,
    negative,
    rules,
    findings,
    trust,
    trials,
    environment,
    deviations,
    bench_file,
    definitions,
)
_PLOT = "plotly-graph-div"


def write(results: Results, folder: Path) -> Path:
    """Writes report.html into the campaign's folder and returns its path.

    Host, DUT and bench file come from the folder's environment.json and bench.toml, as far as they are there.
    """
    path = folder / "report.html"
    write_whole(path, page(Evidence.read(results, folder)))
    return path


def page(evidence: Evidence) -> str:
    """The whole page of a campaign."""
    footer = (
        f"Made by xlatperf {evidence.results.xlatperf_version}. Every number is in results.json, every trial in "
        "journal.jsonl."
    )
    return document(evidence.results.title, heading(evidence), list(_sections(evidence)), footer)


def document(title: str, head: Markup, sections: Sequence[Section], footer: str) -> str:
    """A page of sections. It loads nothing: style, scripts and data are in it."""
    body = render(
        [
            element(
                "nav",
                element("div", "Contents", class_="kicker"),
                element(
                    "ol", [element("li", element("a", section.title, href=f"#{section.id}")) for section in sections]
                ),
            ),
            element(
                "div",
                head,
                element("main", [_shown(section) for section in sections]),
                element("footer", footer),
                class_="page",
            ),
        ]
    )
    # Plotly's own script is needed before the plots, and only if there are any.
    plots = element("script", Markup(plotly.offline.get_plotlyjs())) if _PLOT in body else None
    meta = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", f"xlatperf: {title}"),
        element("style", _asset("report.css")),
        plots,
    )
    return "<!DOCTYPE html>\n" + element(
        "html", meta, element("body", body, element("script", _asset("report.js"))), lang="en"
    )


def _sections(evidence: Evidence) -> Iterator[Section]:
    for part in _ORDER:
        section = part.section(evidence)
        if section is not None:
            yield section


def _shown(section: Section) -> Markup:
    title = element("h2", section.title)
    content: Content = folded(title, section.body) if section.folded else [title, section.body]
    return element("section", content, id=section.id)


def _asset(name: str) -> Markup:
    return Markup((files("xlatperf.report") / "assets" / name).read_text(encoding="utf-8"))
