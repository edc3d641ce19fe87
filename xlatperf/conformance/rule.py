"""A rule of a standard, and what became of it on a device."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """RFC 2119; STATES: without a key word."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    STATES = "states"


class Verdict(StrEnum):
    """DECIDED: the standard leaves it to the device, and this is what it does."""

    KEPT = "kept"
    NOT_KEPT = "not kept"
    DECIDED = "decided"
    NOT_TRIED = "not tried"


@dataclass(frozen=True)
class Rule:
    """`section`: such as `RFC 7915 §4.1`; `says`: the rule in a few words."""

    section: str
    level: Level
    says: str

    @property
    def name(self) -> str:
        """Unique among all."""
        return f"{self.section}: {self.says}"


@dataclass(frozen=True)
class Says:
    """Where, and how strongly."""

    section: str
    level: Level

    def rule(self, says: str) -> Rule:
        """A rule there."""
        return Rule(self.section, self.level, says)


@dataclass(frozen=True)
class Finding:
    """`came`: what was seen, or why it wasn't tried; empty where it is just what the rule says."""

    rule: Rule
    verdict: Verdict
    came: str = ""
