"""Rates with a timeout for each frame: throughput and frame loss."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xlatperf.engine.message import DirectionName
from xlatperf.keys.model import Number, key
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.incremental_load import IncrementalLoad


class TimedRates(IncrementalLoad):
    """With a timeout for each frame, beside the classic result without one."""

    frame_timeout_ms: Number | None = key(
        None,
        "a frame that took longer is late; results with late frames counted as lost then stand beside the classic ones",
        gt=0,
        le=60000,
        source="RFC 2544 §26.1 has none; standards differ from what users feel (Lencse, Kovács, Shima 2020)",
    )

    @property
    def tolerance(self) -> Mapping[DirectionName, float]:
        """None: each lost frame counts."""
        return {"forward": 0.0, "reverse": 0.0}

    def deviations(self) -> Iterator[Deviation]:
        """RFC 2544 §26.1."""
        yield from super().deviations()
        if self.frame_timeout_ms is not None:
            yield Deviation(
                "RFC 2544 §26.1",
                "a frame may arrive until the end of the trial",
                f"{self.label}: results in which a frame that took longer than {self.frame_timeout_ms:g} ms counts as "
                "lost stand beside the classic ones",
            )
