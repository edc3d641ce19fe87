"""How figures for print look, and how they are written: the width of a column, the same bytes for the same results."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xlatperf.files.writing import write_whole_bytes
from xlatperf.procedures.quantity import Bound
from xlatperf.report.plots.look import COLOURS
from xlatperf.results.statistics import Summary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

_SIZE_INCHES = (3.5, 2.5)
"""The width of one column of two."""
_MARKERS = ("o", "s", "D", "h", "X", "P", "p", "*")
_OF_BOUNDS: dict[Bound, tuple[str, str]] = {">=": ("^", "at least"), "<=": ("v", "at most"), "~": ("o", "about")}
"""Their open markers, and what the legend calls them."""
_LOOK: Any = {
    "font.family": "serif",
    "font.serif": ["DejaVu Serif"],
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.linewidth": 0.4,
    "grid.color": "#d9dde2",
    "axes.axisbelow": True,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "lines.linewidth": 1.1,
    "lines.markersize": 4,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "figure.constrained_layout.use": True,
    "svg.hashsalt": "xlatperf",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
}
_METADATA: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None, "ModDate": None}}
FORMATS = tuple(_METADATA)


class NoMatplotlib(Exception):
    """The library that draws them isn't installed."""


def check() -> None:
    """Raises NoMatplotlib."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise NoMatplotlib(
            "figures need the package matplotlib, which is not installed: pip install 'xlatperf[figures]'"
        ) from error


@contextlib.contextmanager
def figure(folder: Path, name: str, written: list[Path]) -> Iterator[Axes]:
    """Axes to draw on; then FOLDER/NAME.svg and .pdf, which are added to `written`. Raises OSError."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_LOOK):
        drawn = Figure(figsize=_SIZE_INCHES)
        yield drawn.add_subplot()
        written += [_write(drawn, folder / f"{name}.{format_}", format_) for format_ in FORMATS]


def _write(drawn: Figure, path: Path, format_: str) -> Path:
    buffer = BytesIO()
    drawn.savefig(buffer, format=format_, metadata=_METADATA[format_])
    write_whole_bytes(path, buffer.getvalue())
    return path


def legend(axes: Axes, least: int = 2) -> None:
    """Above the axes, where no line is under it; nothing for fewer than `least` lines."""
    found = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))  # each name once
    if len(found) >= least:
        axes.legend(
            list(found.values()), list(found), loc="lower left", bbox_to_anchor=(0, 1), ncols=1, borderaxespad=0.2
        )


def in_thousands(axis: Axis) -> None:
    """Ticks as `20 k` and `1.5 M`."""
    from matplotlib.ticker import EngFormatter

    axis.set_major_formatter(EngFormatter(sep=" "))


def add_line(
    axes: Axes, at: Sequence[float], summaries: Sequence[Summary], bounds: Sequence[Bound], name: str, number: int
) -> None:
    """Medians with error bars from P1 to P99 (RFC 8219 §12); a bound is an open triangle that points where more is."""
    colour, marker = COLOURS[number % len(COLOURS)], _MARKERS[number % len(_MARKERS)]
    medians = [one.median for one in summaries]
    spread = [[one.median - one.p1 for one in summaries], [one.p99 - one.median for one in summaries]]
    axes.errorbar(at, medians, yerr=spread, color=colour, marker=marker, capsize=2, elinewidth=0.8, label=name)
    for bound, (shape, said) in _OF_BOUNDS.items():
        points = [(x, y) for x, y, sign in zip(at, medians, bounds, strict=True) if sign == bound]
        if points:
            xs, ys = zip(*points, strict=True)
            axes.plot(
                xs, ys, linestyle="none", marker=shape, markersize=7, color=colour, markerfacecolor="white", label=said
            )
