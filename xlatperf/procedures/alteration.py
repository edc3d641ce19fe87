"""What is changed in frames before they leave, so that no DUT may forward them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

HeaderField = Literal["outer_source", "outer_destination", "source", "destination", "source_port", "destination_port"]


@dataclass(frozen=True)
class Change:
    """The field becomes (value & keep) ^ flip; without `keep` all bits stay (docs/protocol.md, `alter`)."""

    field: HeaderField
    flip: int = 0
    keep: int | None = None

    def message(self) -> dict[str, Any]:
        """As the engine reads it, and as the journal has it."""
        kept = {} if self.keep is None else {"keep": hex(self.keep)}
        return {"field": self.field, **kept, "flip": hex(self.flip)}
