"""What is said of the negative tests."""

from __future__ import annotations

from xlatperf.engine.icmp import icmp_name
from xlatperf.procedures.negative import NegativeOutcome


def fates(found: NegativeOutcome) -> str:
    """`10 of 10 dropped`."""
    counts = {
        "came through": found.passed,
        "came out unchanged": found.unchanged,
        "came back unchanged": found.returned,
        **{f"answered by {icmp_name(one.version, one.type, one.code)}": one.count for one in found.answers},
        "dropped": found.dropped,
    }
    return ", ".join(f"{number} of {found.sent} {what}" for what, number in counts.items() if number)


def in_words(found: NegativeOutcome) -> str:
    """One line."""
    head = f"frames {found.test.what} ({found.test.direction}, {found.test.basis}{', MUST' if found.test.must else ''})"
    if found.untried is not None:
        return f"{head}: not tried: {found.untried}."
    verdict = "" if found.refused else ", and none may" if found.test.must else ", and none should"
    why = "" if found.refused or not found.test.means else f": {found.test.means}"
    return f"{head}: {fates(found)}{verdict}{why}."
