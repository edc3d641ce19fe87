"""What a search of the connection establishment rate needs (RFC 9693 §4.5, §4.9)."""

from __future__ import annotations

from pydantic import model_validator

from xlatperf.keys.model import Number, key
from xlatperf.procedures.procedure import Parameter
from xlatperf.procedures.shared_keys import OneWay, UpToMaximum
from xlatperf.search.bisection import StopWidth


class ConnectionRates(UpToMaximum, OneWay):
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

    @model_validator(mode="after")
    def _search_bounds(self) -> ConnectionRates:
        if isinstance(self.maximum_fps, float) and self.minimum_fps > self.maximum_fps:
            raise ValueError(
                f"minimum_fps: {self.minimum_fps:g} is not allowed: at most maximum_fps, {self.maximum_fps:g}"
            )
        if self.stop_width_fps is None and self.stop_width_percent is None:
            raise ValueError("stop_width_percent: nothing is not allowed: stop_width_fps or stop_width_percent")
        return self

    @property
    def stop(self) -> StopWidth:
        """When its bounds are close enough."""
        percent = self.stop_width_percent
        return StopWidth(self.stop_width_fps, percent / 100 if percent is not None else None)

    @property
    def lowest_fps(self) -> float | None:
        """As a key."""
        return self.minimum_fps

    def parameters(self) -> dict[str, Parameter]:
        """RFC 9693 §6: the error of the search too."""
        widths: dict[str, Parameter] = {
            "stop_width_fps": self.stop_width_fps,
            "stop_width_percent": self.stop_width_percent,
        }
        return {**super().parameters(), **widths}
