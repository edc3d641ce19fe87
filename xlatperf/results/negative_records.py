"""The negative tests of results.json, and what is said of them."""

from __future__ import annotations

from dataclasses import asdict

from pydantic import Field

from xlatperf.engine.icmp import icmp_name
from xlatperf.engine.message import DirectionName
from xlatperf.procedures.negative import NegativeOutcome
from xlatperf.results.trial_records import Record


class IcmpAnswersRecord(Record):
    """ICMP errors (`version` 4) or ICMPv6 errors (6) of one kind."""

    version: int
    type: int
    code: int
    count: int


class NegativeTestRecord(Record):
    """Frames that the DUT must refuse, as they are wrong in one thing, and what became of them."""

    name: str
    what: str = Field(description="the frames, in words")
    basis: str = Field(description="section that forbids to forward them")
    must: bool = Field(description="in so many words (RFC 2119); false: it follows from what they are")
    direction: DirectionName
    part: int | None = Field(description="which part of the technology alone sent: index of the MAP domain")
    means: str = Field(default="", description="what a DUT does that lets them through; empty: just that")
    sent: int
    passed: int = Field(description="came out on the other side as the DUT makes it of right frames, whatever is wrong")
    unchanged: int = Field(description="came out there as they were")
    returned: int = Field(description="came back as they were")
    answers: tuple[IcmpAnswersRecord, ...]
    dropped: int
    untried: str | None = Field(description="why nothing is known; then the counts are 0")
    trials: tuple[int, ...] = Field(description="numbers of the trials, among `negative_trials`")

    @property
    def refused(self) -> bool:
        """Whether it's known that none passed."""
        return self.untried is None and self.passed == 0

    @property
    def violated(self) -> bool:
        """Whether some passed that the standard forbids in so many words."""
        return self.must and self.passed > 0


def negative_test_record(found: NegativeOutcome) -> NegativeTestRecord:
    """As results.json has it."""
    test = asdict(found.test)
    del test["changes"], test["beyond"]
    known = {name: value for name, value in asdict(found).items() if name != "test"}
    return NegativeTestRecord.model_validate({**test, **known, "dropped": found.dropped})


def fates(found: NegativeTestRecord) -> str:
    """`10 of 10 dropped`."""
    counts = {
        "came through": found.passed,
        "came out unchanged": found.unchanged,
        "came back unchanged": found.returned,
        **{f"answered by {icmp_name(one.version, one.type, one.code)}": one.count for one in found.answers},
        "dropped": found.dropped,
    }
    return ", ".join(f"{number} of {found.sent} {what}" for what, number in counts.items() if number)


def in_words(found: NegativeTestRecord) -> str:
    """One line."""
    head = f"frames {found.what} ({found.direction}, {found.basis}{', MUST' if found.must else ''})"
    if found.untried is not None:
        return f"{head}: not tried: {found.untried}."
    verdict = "" if found.refused else ", and none may" if found.must else ", and none should"
    why = "" if found.refused or not found.means else f": {found.means}"
    return f"{head}: {fates(found)}{verdict}{why}."
