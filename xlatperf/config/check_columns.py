"""Whether the columns of the measures' tables are possible. Each message starts with the place."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.config.traffic import Traffic
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.column import Column
from xlatperf.procedures.procedure import Procedure
from xlatperf.technologies.registry import AnyTechnology

_OF_CONNECTIONS = {"connections", "client_ports", "server_ports", "table_size", "hash_size"}
_INSTEAD = ("connections", "subscribers", "device_cores")
"""Keys of a measure that its columns come in place of."""


def check_columns(technology: AnyTechnology, traffic: Traffic, measures: Sequence[Procedure]) -> None:
    """Raises ValueError."""
    for index, measure in enumerate(measures):
        place = f"measure[{index}]"
        if measure.columns == "all":
            refuse(f"{place}.columns", "all", "columns, which [[column]] must say at the end of the file")
        if not measure.table:
            continue
        for name in _INSTEAD:
            if getattr(measure, name, None) is not None:
                refuse(f"{place}.{name}", getattr(measure, name), "nothing beside columns, which say it")
        _check_sizes(index, measure)
        known: list[Column] = []
        for number, column in enumerate(measure.table):
            here = measure.place_of_column(index, number)
            if column in known:
                refuse(here, _as_written(column), "each column once")
            known.append(column)
            _check_keys(here, column, measure, technology, traffic)


def _check_sizes(index: int, measure: Procedure) -> None:
    own = [column.frame_size for column in measure.table]
    if None in own:
        if any(own):
            place = measure.place_of_column(index, own.index(None))
            refuse(f"{place}.frame_size", None, "a size, as other columns have it")
    elif set(own) != set(measure.frame_sizes):
        refuse(
            f"measure[{index}].frame_sizes",
            [size if isinstance(size, int) else size.what for size in measure.frame_sizes],
            "nothing beside columns with frame_size",
        )


def _check_keys(here: str, column: Column, measure: Procedure, technology: AnyTechnology, traffic: Traffic) -> None:
    if not column.given:
        refuse(here, _as_written(column), "a table with at least one key")
    for name in sorted(column.given - measure.column_keys):
        refuse(f"{here}.{name}", getattr(column, name), f"nothing with procedure = {measure.procedure}")
    if isinstance(column.alpha, float) and not 0 < column.alpha <= 10:
        refuse(f"{here}.alpha", column.alpha, 'above 0 to 10, or "none"')
    if traffic.connections is None:
        for name in sorted(column.given & _OF_CONNECTIONS):
            refuse(f"{here}.{name}", _as_written(column)[name], f"nothing with technology {technology.name}")
    if column.networks is not None and not technology.hosts:
        refuse(f"{here}.networks", column.networks, f"nothing with technology {technology.name}, which has no hosts")


def _as_written(column: Column) -> dict[str, object]:
    return column.model_dump(mode="json", exclude_none=True)
