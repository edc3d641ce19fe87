"""What a search of the connection establishment rate needs (RFC 9693 §4.5, §4.9)."""

from __future__ import annotations

from xlatperf.keys.model import Number, key
from xlatperf.procedures.procedure import Parameter
from xlatperf.procedures.searched_rates import SearchedRates
from xlatperf.procedures.shared_keys import OneWay


class ConnectionRates(SearchedRates, OneWay):
    """What a search of the connection establishment rate needs."""

    minimum_fps: Number = key(100.0, "lowest rate of the search in connections per second", gt=0, le=1e9)
    stop_width_fps: Number | None = key(
        None,
        "error of the search: stop when the bounds are so close, in connections per second",
        gt=0,
        le=1e9,
        source="RFC 9693 §6: to be reported",
    )
    stop_width_percent: Number | None = key(
        1.0,
        "error of the search in percent of the upper bound; with both, the first that is reached",
        gt=0,
        le=50,
        source="RFC 9693 §6: to be reported",
    )

    def parameters(self) -> dict[str, Parameter]:
        """RFC 9693 §6: the error of the search too."""
        widths: dict[str, Parameter] = {
            "stop_width_fps": self.stop_width_fps,
            "stop_width_percent": self.stop_width_percent,
        }
        return {**super().parameters(), **widths}
