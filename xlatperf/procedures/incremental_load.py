"""Measures under incremental load (RFC 8219 §10.2.2)."""

from __future__ import annotations

from xlatperf.keys.model import Number, key
from xlatperf.procedures.procedure import Parameter
from xlatperf.procedures.shared_keys import TrafficMeasure


class IncrementalLoad(TrafficMeasure):
    """A measure whose flows may begin one after the other."""

    flow_interval_s: Number | None = key(
        None,
        "each flow begins so long after the one before, in s, at its share of the rate; when all have begun, the trial "
        "goes on for duration_s; not set: all begin at once",
        ge=1e-6,
        le=3600,
        source="RFC 8219 §10.2.2: T, by which performance degradation with incremental load is measured",
    )

    @property
    def label(self) -> str:
        """A measure of its own beside that with simultaneous load."""
        if self.name or self.flow_interval_s is None:
            return super().label
        return f"{super().label}, flows {self.flow_interval_s:g} s apart"

    def parameters(self) -> dict[str, Parameter]:
        """T (RFC 8219 §10.2.2)."""
        known = super().parameters()
        return known if self.flow_interval_s is None else {**known, "flow_interval_s": self.flow_interval_s}

    @property
    def flows_apart_s(self) -> float | None:
        """As a key."""
        return self.flow_interval_s
