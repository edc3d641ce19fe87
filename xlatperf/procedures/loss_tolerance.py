"""How much loss still passes: one notion for all that is searched, and for phase 1 of all that comes after it.

The standards allow none (RFC 2544 §26.1; RFC 9693 §4.5, §4.6). With any, it's not their result, and each says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xlatperf.engine.message import DirectionName
from xlatperf.keys.model import ConfigModel, Number, key
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.procedure import Procedure


class LossTolerance(ConfigModel):
    """Share of lost frames that still passes, per direction."""

    forward: Number = key(0.0, "ratio, left to right", ge=0, lt=1, source="RFC 2544 §26.1, RFC 9693 §4.5: 0")
    reverse: Number = key(0.0, "ratio, right to left", ge=0, lt=1, source="RFC 2544 §26.1, RFC 9693 §4.6: 0")


class Tolerant(Procedure):
    """A search with a loss tolerance."""

    loss_tolerance: LossTolerance = key(
        None,
        "share of lost frames that still passes; of connections that are established forward is that of phase 1, "
        "reverse that of the validation",
        default_factory=LossTolerance,
        source="RFC 2544 §26.1, RFC 9693 §4.5: 0; anything else is not their result",
    )

    @property
    def tolerance(self) -> Mapping[DirectionName, float]:
        """As a key."""
        return {"forward": self.loss_tolerance.forward, "reverse": self.loss_tolerance.reverse}

    @property
    def standards(self) -> str:
        """With a tolerance it's not theirs."""
        return self.of_sections(super().standards)

    def of_sections(self, sections: str) -> str:
        """As `standards`."""
        return f"{sections} with a loss tolerance (not theirs)" if self.tolerant else sections

    def tolerated(self, section: str, result: str) -> Iterator[Deviation]:
        """The deviation that it is; `result`: what it isn't."""
        if any(self.tolerance.values()):
            yield Deviation(
                section,
                "no frame may be lost",
                f"{self.label}: a share of {self.loss_tolerance.forward:g} forward and "
                f"{self.loss_tolerance.reverse:g} reverse may be lost; this is not {result}",
            )
