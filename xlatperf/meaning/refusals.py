"""What is said of the negative tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from xlatperf.engine.icmp import icmp_name
from xlatperf.procedures.negative import Fate, NegativeOutcome, NegativeTest

FATES: Mapping[Fate, str] = {
    "passed": "came through",
    "unchanged": "came out unchanged",
    "returned": "came back",
}
_MEANS: Mapping[Fate, str] = {
    "unchanged": "the DUT forwards them by its routes and does not look at them",
    "returned": "the DUT sends them back to where they came from, by its routes (a loop) or as its own, and does not "
    "look at them",
}
"""Where a test says nothing itself."""


def fates(found: NegativeOutcome) -> str:
    """`10 of 10 dropped`."""
    counts = {
        **{text: getattr(found, fate) for fate, text in FATES.items()},
        **{f"answered by {icmp_name(one.version, one.type, one.code)}": one.count for one in found.answers},
        "dropped": found.dropped,
    }
    return ", ".join(f"{number} of {found.sent} {what}" for what, number in counts.items() if number)


def what(test: NegativeTest) -> str:
    """Whose frames, and what is changed in them."""
    return f"{test.what}, of {test.of}" if test.of else test.what


def lines(found: Sequence[NegativeOutcome]) -> list[str]:
    """A line for each; a reason that several weren't tried for stands above these."""
    reasons = Counter(one.untried for one in found if one.untried is not None)
    said = [in_words(one) for one in found if one.untried is None or reasons[one.untried] == 1]
    for reason, count in reasons.items():
        if count > 1:
            said.append(f"not tried: {reason}:")
            said += [f"  {_head(one.test)}" for one in found if one.untried == reason]
    return said


def in_words(found: NegativeOutcome) -> str:
    """One line."""
    test = found.test
    head = _head(test)
    if found.untried is not None:
        return f"{head}: not tried: {found.untried}."
    if found.refused:
        return f"{head}: {fates(found)}."
    others = any(getattr(found, fate) for fate in FATES if fate not in found.wrongly)
    which = f" {' or '.join(FATES[fate].replace('came', 'come') for fate in found.wrongly)}" if others else ""
    verdict = f", and none {'may' if test.must else 'should'}{which}"
    means = [test.means if fate == "passed" else _MEANS[fate] for fate in found.wrongly]
    why = "; ".join(text for text in means if text)
    return f"{head}: {fates(found)}{verdict}{f': {why}' if why else ''}."


def _head(test: NegativeTest) -> str:
    return f"frames {what(test)} ({test.direction}, {test.basis}{', MUST' if test.must else ''})"
