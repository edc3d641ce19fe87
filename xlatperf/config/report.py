"""`[report]`: what the report has beside what it always has."""

from __future__ import annotations

from typing import Literal

from xlatperf.keys.model import ConfigModel, key


class ReportKeys(ConfigModel):
    """`[report]`."""

    labels: Literal["draft-lencse", "draft-lencse-pf"] | None = key(
        None,
        "tables with the labels of draft-lencse-v6ops-transition-scalability to the letter, in front of the others, in "
        "report.html, scalability.csv and scalability.tex: draft-lencse has those of its Figs. 2, 4 to 6 and 8 to 11, "
        "draft-lencse-pf those of 12 and 13",
        allowed="draft-lencse or draft-lencse-pf",
        source="draft-lencse-v6ops-transition-scalability-05",
    )
