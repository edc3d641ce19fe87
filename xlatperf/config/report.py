"""`[report]`: what the report has beside what it always has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from xlatperf.keys.located import Located
from xlatperf.keys.model import key


class ReportKeys(Located):
    """`[report]`."""

    labels: Literal["draft-lencse", "draft-lencse-pf"] | None = key(
        None,
        "tables with the labels of draft-lencse-v6ops-transition-scalability to the letter, in front of the others, in "
        "report.html, scalability.csv and scalability.tex: draft-lencse has those of its Figs. 2, 4 to 6 and 8 to 11, "
        "draft-lencse-pf those of 12 and 13",
        allowed="draft-lencse or draft-lencse-pf",
        source="draft-lencse-v6ops-transition-scalability-05",
    )
    baseline: Annotated[str, Field(min_length=1)] | None = key(
        None,
        "the folder of a campaign of native forwarding, whose throughput the tables of scalability have below and as a "
        "ratio; relative to this file",
        allowed="the folder of a campaign with technology native and a throughput measure",
        source="draft-lencse-v6ops-transition-scalability-05, Fig. 2",
    )

    @property
    def baseline_folder(self) -> Path | None:
        """Where the baseline's campaign is."""
        return None if self.baseline is None else self._folder / self.baseline
