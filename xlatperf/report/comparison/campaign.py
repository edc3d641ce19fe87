"""One of the campaigns that are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from string import ascii_uppercase

from xlatperf.report import words
from xlatperf.report.evidence import Evidence
from xlatperf.results.results import Measurement, Results

MOST = len(ascii_uppercase)
"""Campaigns of one comparison: each has a letter."""


@dataclass(frozen=True)
class Campaign:
    """`letter` names it in the page: A is the first, that the others are compared with."""

    letter: str
    folder: Path
    evidence: Evidence

    @property
    def results(self) -> Results:
        """results.json."""
        return self.evidence.results

    @cached_property
    def name(self) -> str:
        """The folder's name, which whoever compares has chosen."""
        return self.folder.resolve().name

    @property
    def title(self) -> str:
        """Of its columns: `A · siit`."""
        return f"{self.letter} · {self.name}"

    def ipv4_size(self, item: Measurement) -> int:
        """Size of the IPv4 frame with the same data."""
        return self.evidence.ipv4_size(item)

    def ipv4_sizes(self, item: Measurement) -> str:
        """Of several as one traffic; empty: there is one."""
        return self.evidence.ipv4_sizes(item)

    def ipv4_bytes(self, item: Measurement) -> str:
        """In words."""
        return words.of_bytes(self.ipv4_size(item), self.ipv4_sizes(item))


def campaigns(found: Sequence[tuple[Path, Results]]) -> list[Campaign]:
    """With a letter each, in this order."""
    return [
        Campaign(letter, folder, Evidence.read(results, folder))
        for letter, (folder, results) in zip(ascii_uppercase, found, strict=False)
    ]
