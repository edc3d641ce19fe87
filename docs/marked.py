"""A page of which a script writes the part between two marks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Marked:
    """`begin` and `end`: lines of the page."""

    path: Path
    begin: str
    end: str

    def text(self) -> str:
        """As it is."""
        return self.path.read_text(encoding="utf-8")

    def with_part(self, part: str) -> str:
        """As it must be; the text around the part stays."""
        before, _, rest = self.text().partition(self.begin)
        _, _, after = rest.partition(self.end)
        return f"{before}{self.begin}\n\n{part}\n\n{self.end}{after}"

    def write(self, part: str) -> None:
        """Replaces the part."""
        self.path.write_text(self.with_part(part), encoding="utf-8")
