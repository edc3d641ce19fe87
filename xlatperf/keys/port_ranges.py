"""Ranges of UDP ports that connections have on either side (RFC 9693 §4.1)."""

from __future__ import annotations

from pydantic import model_validator

from xlatperf.keys.model import ConfigModel, Whole, key
from xlatperf.keys.not_allowed import refuse


class PortRange(ConfigModel):
    """A range of UDP ports."""

    first: Whole
    last: Whole

    @property
    def ports(self) -> int:
        """How many there are."""
        return self.last - self.first + 1

    @model_validator(mode="after")
    def _ordered(self) -> PortRange:
        if self.first > self.last:
            refuse("first", self.first, f"at most last, which is {self.last}")
        return self


class ClientPorts(PortRange):
    """RFC 9693 §4.1: a large range."""

    first: Whole = key(1024, "lowest port", ge=0, le=65535, source="RFC 4814 §4.5; RFC 9693 §4.1: a large range")
    last: Whole = key(65535, "highest port", ge=0, le=65535, source="RFC 4814 §4.5; RFC 9693 §4.1: a large range")


class ServerPorts(PortRange):
    """RFC 9693 §4.1: a small range, so as many are used as the connections need."""

    first: Whole = key(1, "lowest port", ge=0, le=65535, source="RFC 4814 §4.5")
    last: Whole = key(
        49151,
        "highest port; the lowest ones are used, as many as the number of connections needs",
        ge=0,
        le=65535,
        source="RFC 4814 §4.5; RFC 9693 §4.1, §5.1: a range that grows with the connections",
    )
