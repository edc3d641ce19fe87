"""Keys of a search of a rate, and its error."""

from __future__ import annotations

from pydantic import model_validator

from xlatperf.keys.model import Number, key
from xlatperf.keys.not_allowed import exact, refuse
from xlatperf.procedures.procedure import SEARCH_STEPS
from xlatperf.procedures.quantity import Quantity, Unit
from xlatperf.procedures.shared_keys import UpToMaximum
from xlatperf.search.bisection import StopWidth


def search_error(unit: Unit) -> Quantity:
    """Upper bound less lower."""
    return Quantity(
        "error of the binary search", unit, "distance to the lowest rate that failed", "RFC 9693 §6", role="beside"
    )


class SearchedRates(UpToMaximum):
    """Where a search begins, and when it ends."""

    minimum_fps: Number = key(100.0, "lowest rate of the search per direction in frames per second", gt=0, le=1e9)
    stop_width_fps: Number | None = key(None, "stop when the bounds are so close, in frames per second", gt=0, le=1e9)
    stop_width_percent: Number | None = key(
        1.0,
        "stop when the bounds are so close, in percent of the upper one; with both, the first that is reached",
        gt=0,
        le=50,
    )

    @model_validator(mode="after")
    def _bounds(self) -> SearchedRates:
        if isinstance(self.maximum_fps, float) and self.minimum_fps > self.maximum_fps:
            refuse("minimum_fps", self.minimum_fps, f"at most maximum_fps, {exact(self.maximum_fps)}")
        if self.stop_width_fps is None and self.stop_width_percent is None:
            refuse("stop_width_percent", None, "stop_width_fps or stop_width_percent")
        return self

    @property
    def stop(self) -> StopWidth:
        """When its bounds are close enough."""
        return StopWidth.of(self.stop_width_fps, self.stop_width_percent)

    @property
    def lowest_fps(self) -> float | None:
        """As a key."""
        return self.minimum_fps

    @property
    def steps(self) -> int:
        """A search's."""
        return SEARCH_STEPS
