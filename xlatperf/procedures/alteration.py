"""What is changed in frames before they leave, so that no DUT may forward them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, PlainSerializer

HeaderField = Literal["outer_source", "outer_destination", "source", "destination", "source_port", "destination_port"]

Hexadecimal = Annotated[
    int,
    BeforeValidator(lambda told: int(told, 16) if isinstance(told, str) else told),
    PlainSerializer(hex, return_type=str, when_used="json-unless-none"),
]
"""A number that JSON has as text: addresses of IPv6 don't fit into a float."""


@dataclass(frozen=True)
class Change:
    """The field becomes (value & keep) ^ flip; without `keep` all bits stay (docs/protocol.md, `alter`).

    `of_another`: in place of that it's what another subscriber's frame has there.
    """

    field: HeaderField
    flip: Hexadecimal = 0
    keep: Hexadecimal | None = None
    of_another: bool = False

    def message(self) -> dict[str, Any]:
        """As the engine reads it, and as the journal has it."""
        if self.of_another:
            return {"field": self.field, "of_another": True}
        kept = {} if self.keep is None else {"keep": hex(self.keep)}
        return {"field": self.field, **kept, "flip": hex(self.flip)}
