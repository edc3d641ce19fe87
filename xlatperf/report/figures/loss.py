"""Frame loss over the offered rate (RFC 2544 §26.3), each frame size a figure: both directions, and both together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from xlatperf.engine.message import DirectionName
from xlatperf.report import words
from xlatperf.report.figures.paper import add_line, figure, in_thousands, legend
from xlatperf.report.sweep import over_sweeps
from xlatperf.results.results import Measurement

_WAYS: tuple[DirectionName | None, ...] = ("forward", "reverse", None)


def loss(measurements: Sequence[Measurement], folder: Path, written: list[Path]) -> None:
    """One figure for each measurement with a rate that was measured. Raises OSError."""
    for number, item in enumerate((one for one in measurements if one.procedure == "frame_loss"), 1):
        rates = over_sweeps(item)
        if not rates:
            continue
        with figure(
            folder, f"loss-{number}-{'mixed' if item.frame_size.mixed else item.frame_size_named}-bytes", written
        ) as axes:
            for line, way in enumerate(way for way in _WAYS if way in rates[0].of):
                at = [one for one in reversed(rates) if way in one.of]
                name = "both directions together" if way is None else words.DIRECTIONS[way]
                losses = [one.of[way] for one in at]
                add_line(axes, [one.rate_fps for one in at], losses, [""] * len(at), name, line)
            axes.set_xlabel("offered rate in frames per second per direction")
            axes.set_ylabel("frame loss in %")
            axes.set_xlim(left=0)
            axes.set_ylim(bottom=0)
            in_thousands(axes.xaxis)
            legend(axes)
