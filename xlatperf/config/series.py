"""Whether the series of the measures are possible, and what they are in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlatperf.devices.driver import Driver
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.series import Series
from xlatperf.technologies.registry import WITH_SUBSCRIBERS, AnyTechnology

_ONLY = f"only with technology {WITH_SUBSCRIBERS} and a DUT that has many"


def in_words(series: Sequence[Series]) -> str:
    """`frame sizes 84, 512`, with connections, subscribers and cores where there are any."""
    words = []
    sizes = ", ".join(dict.fromkeys(one.size_text for one in series))
    words.append(f"frame sizes {sizes}")
    for name in Series._fields:
        if name in ("frame_size", "mixed"):
            continue
        numbers = list(dict.fromkeys(getattr(one, name) for one in series))
        if numbers != [None]:
            said = (" to ".join(map(str, one)) if isinstance(one, tuple) else str(one) for one in numbers)
            words.append(f"{name} {', '.join(said)}")
    return " and ".join(words)


def most_subscribers(measures: Sequence[Procedure]) -> int | None:
    """The largest number of subscribers of all series; None: as the technology's table says."""
    return max((one.subscribers for one in _all(measures) if one.subscribers is not None), default=None)


def most_networks(measures: Sequence[Procedure]) -> int | None:
    """The same of networks of hosts; None: as `[traffic]` says."""
    return max((one.networks for one in _all(measures) if one.networks is not None), default=None)


def more_subscribers(technology: AnyTechnology, measures: Sequence[Procedure]) -> int | None:
    """The largest number of all series, if it's more than the technology's own: the DUT is prepared for it."""
    most, own = most_subscribers(measures), technology.subscribers
    return None if most is None or own is None or most <= own else most


def _all(measures: Sequence[Procedure]) -> Iterator[Series]:
    for measure in measures:
        yield from measure.series()


def check_series(technology: AnyTechnology, device: Driver, measures: Sequence[Procedure]) -> None:
    """Raises ValueError, the message starting with the place."""
    for name in ("device_cores", "table_size", "hash_size"):
        _check_set(name, measures)
    _check_sizes(device, measures)
    for index, measure in enumerate(measures):
        possible = technology.possible_subscribers
        if measure.subscribers is not None and possible is None:
            refuse(f"measure[{index}].subscribers", list(measure.subscribers), _ONLY)
        own = measure.subscribers or ()
        given = {
            **{f"measure[{index}].subscribers[{position}]": count for position, count in enumerate(own)},
            **{
                f"{measure.place_of_column(index, position)}.subscribers": column.subscribers
                for position, column in enumerate(measure.table)
                if column.subscribers is not None
            },
        }
        for place, count in given.items():
            if possible is None:
                refuse(place, count, _ONLY)
            if count not in possible:
                refuse(place, count, f"{possible[0]} to {possible[-1]}, by {technology.instead_of_hosts['left']}")


def _check_sizes(device: Driver, measures: Sequence[Procedure]) -> None:
    """Of the DUT's table: its driver must be able to set them."""
    for index, measure in enumerate(measures):
        for position, column in enumerate(measure.table):
            for name in ("table_size", "hash_size"):
                size, step = getattr(column, name), device.table_steps.get(name)
                if size is None:
                    continue
                place = f"{measure.place_of_column(index, position)}.{name}"
                if step is None:
                    refuse(place, size, f"nothing with driver = {device.driver}, which can't set it")
                if size % step:
                    refuse(place, size, f"multiples of {step} with driver = {device.driver}")


def _check_set(name: str, measures: Sequence[Procedure]) -> None:
    """Without a number the DUT would keep what the series before has set."""
    without = [
        f"{f'measure[{index}]' if place.column is None else measure.place_of_column(index, place.column - 1)}.{name}"
        for index, measure in enumerate(measures)
        for place in measure.places()
        if getattr(place.series, name) is None
    ]
    if without and any(getattr(one, name) is not None for one in _all(measures)):
        refuse(without[0], None, "a number, as other measures or columns have it")
