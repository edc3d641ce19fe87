"""One section of the report."""

from __future__ import annotations

from dataclasses import dataclass

from xlatperf.report.markup import Markup


@dataclass(frozen=True)
class Section:
    """`title` heads the section and names it in the contents; `folded` ones open by a click and when printed."""

    id: str
    title: str
    body: Markup
    folded: bool = False
