"""Rules tried one after the other, each as often as it takes to say that it isn't kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from xlatperf.conformance.rule import Finding, Rule, Verdict

ATTEMPTS = 3
"""Before a rule counts as not kept."""
MOST_SILENT = 2
NOTHING = "ordinary packets don't come through"
SINCE = f"from this one on {NOTHING}"
"""It may be that the device didn't survive it."""
RATE_LIMIT_S = 1.1
"""A device may send one error per second to a host (RFC 1812 §4.3.2.8, RFC 4443 §2.4 f; Linux: icmp_ratelimit)."""

Sleep = Callable[[float], None]


NO_SESSION = "a client's datagram opens no session"


class CannotTry(Exception):
    """Why rules can't be tried, though packets come through."""


@dataclass(frozen=True)
class Attempt:
    """One or several rules: `once` tries them; None: no ordinary packet came through. It may raise CannotTry.

    `answered`: they ask for errors, and silence is asked again as these are rate-limited.
    """

    rules: tuple[Rule, ...]
    once: Callable[[], Sequence[Finding] | None]
    answered: bool = False


def findings(attempts: Iterable[Attempt], sleep: Sleep) -> Iterator[Finding]:
    """Of each rule; after `MOST_SILENT` of the attempts in a row nothing is tried any more."""
    silent = 0
    for number, one in enumerate(attempts):
        found = None if silent >= MOST_SILENT else _several(one, sleep)
        if found is None:
            silent += 1
            found = not_tried(one.rules, SINCE if silent == 1 and number else NOTHING)
        else:
            silent = 0
        yield from found


def _several(one: Attempt, sleep: Sleep) -> Sequence[Finding] | None:
    """What isn't kept is tried again: a busy host may lose a packet, a rate limit an error."""
    found: Sequence[Finding] | None = None
    for number in range(ATTEMPTS):
        if number and one.answered:
            sleep(RATE_LIMIT_S)
        try:
            now = one.once()
        except CannotTry as why:
            return not_tried(one.rules, str(why))
        if now is None:
            continue
        found = now
        if all(finding.verdict is not Verdict.NOT_KEPT for finding in found):
            break
    return found


def not_tried(rules: Iterable[Rule], why: str) -> list[Finding]:
    """A finding of each."""
    return [Finding(rule, Verdict.NOT_TRIED, why) for rule in rules]
