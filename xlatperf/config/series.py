"""Whether the series of the measures are possible, and what they are in words."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.series import Series
from xlatperf.technologies.registry import WITH_SUBSCRIBERS, AnyTechnology


def in_words(series: Sequence[Series]) -> str:
    """`frame sizes 84, 512`, with connections, subscribers and cores where there are any."""
    words = []
    for name in Series._fields:
        numbers = list(dict.fromkeys(getattr(one, name) for one in series))
        if numbers != [None]:
            words.append(f"{name.replace('frame_size', 'frame sizes')} {', '.join(map(str, numbers))}")
    return " and ".join(words)


def most_subscribers(measures: Sequence[Procedure]) -> int | None:
    """The largest number of subscribers of all series; None: as the technology's table says."""
    return max((count for measure in measures for count in measure.subscribers or ()), default=None)


def more_subscribers(technology: AnyTechnology, measures: Sequence[Procedure]) -> int | None:
    """The largest number of all series, if it's more than the technology's own: the DUT is prepared for it."""
    most, own = most_subscribers(measures), technology.subscribers
    return None if most is None or own is None or most <= own else most


def check_series(technology: AnyTechnology, measures: Sequence[Procedure]) -> None:
    """Raises ValueError, the message starting with the place."""
    _check_cores(measures)
    for index, measure in enumerate(measures):
        for position, count in enumerate(measure.subscribers or ()):
            possible = technology.possible_subscribers
            if possible is None:
                refuse(
                    f"measure[{index}].subscribers",
                    list(measure.subscribers or ()),
                    f"only with technology {WITH_SUBSCRIBERS} and a DUT that has many",
                )
            if count not in possible:
                refuse(
                    f"measure[{index}].subscribers[{position}]",
                    count,
                    f"{possible[0]} to {possible[-1]}, by {technology.instead_of_hosts['left']}",
                )


def _check_cores(measures: Sequence[Procedure]) -> None:
    """Without a number the DUT would keep what the measure before has set."""
    without = [index for index, measure in enumerate(measures) if measure.device_cores is None]
    if without and len(without) < len(measures):
        refuse(f"measure[{without[0]}].device_cores", None, "numbers of cores, as other measures have them")
