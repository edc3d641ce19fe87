"""Performance over CPU cores, connections, subscribers, networks and alpha, as the scalability papers draw it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from xlatperf.report.figures.paper import add_line, figure, in_thousands, legend
from xlatperf.report.scalability.groups import ALPHA, NO_VALIDATION, SIZES, Curve, Group, Spot, groups, on
from xlatperf.results.results import Measurement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_UNITS = {"frames/s": "frames per second, both directions", "connections/s": "connections per second"}
_FAR = 4
"""From this ratio of the highest to the lowest rate on, the rate's axis is logarithmic."""


def performance(measurements: Sequence[Measurement], folder: Path, written: list[Path]) -> None:
    """One figure for each unit of each group; nothing for one that has no result. Raises OSError."""
    for number, group in enumerate(groups(measurements), 1):
        for unit, lines in _by_unit(group.lines):
            over = "frame-size" if group.over == SIZES else group.over.counted.replace(" ", "-")
            name = f"{number}-{unit.partition('/')[0]}-over-{over}"
            with figure(folder, name, written) as axes:
                _draw(axes, group, unit, lines)


def _by_unit(lines: Iterable[Curve]) -> list[tuple[str, list[Curve]]]:
    found = [line for line in lines if line.totals()]
    ordered = sorted(found, key=lambda line: line.unit)
    return [(unit, list(of_unit)) for unit, of_unit in groupby(ordered, lambda line: line.unit)]


def _draw(axes: Axes, group: Group, unit: str, lines: Sequence[Curve]) -> None:
    places = _places(group)
    rates: list[float] = []
    for number, line in enumerate(lines):
        found, bounds = line.totals(), line.bounds()
        spots = sorted(found, key=lambda spot: places[spot])
        rates += [found[spot].median for spot in spots]
        add_line(
            axes,
            [places[spot] for spot in spots],
            [found[spot] for spot in spots],
            [bounds.get(spot, "") for spot in spots],
            f"{line.name}{on(line.fixed)}",
            number,
        )
        if group.over.proportional:
            _linear(axes, {places[spot]: found[spot].median for spot in spots})
    axes.set_ylabel(_UNITS.get(unit, unit))
    if not group.over.proportional and min(rates) > 0 and max(rates) / min(rates) > _FAR:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    in_thousands(axes.yaxis)
    _x_axis(axes, group, places)
    legend(axes)


def _places(group: Group) -> dict[Spot, float]:
    """Where each column is: its number; without validation, a step beyond the largest alpha."""
    values = [spot.value for spot in group.columns if spot.value is not None]
    beyond = max(values, default=0.0) + 0.2
    return {spot: beyond if spot.value is None else float(spot.value) for spot in group.columns}


def _x_axis(axes: Axes, group: Group, places: dict[Spot, float]) -> None:
    at = sorted(set(places.values()))
    if group.over == ALPHA:
        axes.set_xlabel("alpha: rate of the validation / rate of phase 1")
        named = {places[spot]: NO_VALIDATION if spot.value is None else f"{spot.value:g}" for spot in group.columns}
        axes.set_xticks(at, [named[one] for one in at])
        return
    axes.set_xlabel(f"number of {group.over.counted}" if group.over != SIZES else "frame size in bytes")
    if group.over.proportional:
        axes.set_xticks(at, [f"{one:.0f}" for one in at])
        axes.set_xlim(left=0)
    elif at[0] > 0 and group.over != SIZES:
        axes.set_xscale("log")
        in_thousands(axes.xaxis)


def _linear(axes: Axes, found: dict[float, float]) -> None:
    """n P(1), which relative scale-up compares with."""
    if 1 in found and len(found) > 1:
        axes.plot(list(found), [at * found[1] for at in found], color="0.5", linewidth=0.7, linestyle=":")
