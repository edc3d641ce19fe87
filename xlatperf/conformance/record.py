"""What was found on a device, as a file: for tables of several side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from xlatperf.conformance.rule import Finding, Level, Rule, Verdict

RULES_FILE = "rules.json"
"""In a campaign's folder, for its report."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RuleRecord(_Record):
    """A finding, flat."""

    section: str
    level: Level
    says: str
    verdict: Verdict
    came: str

    @property
    def finding(self) -> Finding:
        """As it was found."""
        return Finding(Rule(self.section, self.level, self.says), self.verdict, self.came)


class ConformanceRecord(_Record):
    """`device`: its versions and parameters as environment.json has them. `called`: it, with its version if known."""

    schema_version: Literal[1] = 1
    xlatperf: str
    title: str | None
    technology: str
    driver: str
    device: Mapping[str, str]
    called: str = ""
    rules: tuple[RuleRecord, ...]


def records(findings: Sequence[Finding]) -> tuple[RuleRecord, ...]:
    """In their order."""
    return tuple(
        RuleRecord(
            section=one.rule.section, level=one.rule.level, says=one.rule.says, verdict=one.verdict, came=one.came
        )
        for one in findings
    )
