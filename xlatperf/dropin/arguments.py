"""Their positional arguments: the same in all of them, then five of stateful tests, then each program's own."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from xlatperf.keys.not_allowed import refuse

_WHOLE = re.compile(r"[0-9]{1,12}")
_COMMON = ("IPv6 frame size", "rate", "duration", "global timeout", "n", "m")
_STATEFUL = ("N", "M", "R", "T", "D")
_LIMITS = {
    "IPv6 frame size": (84, 9236),
    "rate": (1, 1_000_000_000),
    "duration": (1, 3600),
    "global timeout": (0, 60_000),
    "n": (1, 1_000_000),
    "m": (0, 1_000_000),
    "N": (1, 2**32 - 1),
    "M": (1, 2**32 - 1),
    "R": (1, 1_000_000_000),
    "T": (1, 60_000),
    "D": (1, 100_000_000),
    "delay": (0, 3600),
    "timestamps": (1, 50_000),
    "frame timeout": (0, 60_000),
}
_MOST_OF_MIX = 1000


class Kind(StrEnum):
    """Which of the three."""

    THROUGHPUT = "tp"
    LATENCY = "lat"
    PDV = "pdv"


_OWN = {Kind.THROUGHPUT: (), Kind.LATENCY: ("delay", "timestamps"), Kind.PDV: ("frame timeout",)}


@dataclass(frozen=True)
class Connections:
    """N = M connections at `establish_fps` in phase 1; phase 2 begins `pause_s` after it."""

    count: int
    establish_fps: int
    pause_s: float


@dataclass(frozen=True)
class Arguments:
    """`tagged_from_s`, `tags`: of -lat; `frame_timeout_ms`: of -pdv, 0 where the PDV is measured."""

    kind: Kind
    ipv6_size: int
    rate_fps: int
    duration_s: int
    timeout_ms: int
    mix: tuple[int, int]
    connections: Connections | None
    tagged_from_s: int = 0
    tags: int = 0
    frame_timeout_ms: int = 0


def parse(kind: Kind, words: Sequence[str], *, stateful: bool) -> Arguments:
    """Raises ValueError, which says the argument, the value and what is allowed."""
    names = (*_COMMON, *(_STATEFUL if stateful else ()), *_OWN[kind])
    if len(words) != len(names):
        refuse("arguments", len(words), f"{len(names)}: {' '.join(f'<{name}>' for name in names)}")
    found = {name: _whole(name, word) for name, word in zip(names, words, strict=True)}
    if kind is Kind.LATENCY and found["delay"] >= found["duration"]:
        refuse("delay", found["delay"], f"less than the duration, {found['duration']}")
    return Arguments(
        kind,
        found["IPv6 frame size"],
        found["rate"],
        found["duration"],
        found["global timeout"],
        _mix(found["n"], found["m"], stateful=stateful),
        _connections(found) if stateful else None,
        found.get("delay", 0),
        found.get("timestamps", 0),
        found.get("frame timeout", 0),
    )


def _whole(name: str, word: str) -> int:
    low, high = _LIMITS[name]
    if not _WHOLE.fullmatch(word) or not low <= int(word) <= high:
        refuse(name, word, f"a whole number, {low} to {high}")
    return int(word)


def _mix(n: int, m: int, *, stateful: bool) -> tuple[int, int]:
    """m of n frames are foreground; all of them where m is n or more, none where it is 0."""
    m = min(n, m)
    if stateful and not m:
        refuse("m", m, "1 or more: connections are made of the foreground")
    common = math.gcd(n, m)
    if n // common > _MOST_OF_MIX:
        refuse("n", n, f"at most {_MOST_OF_MIX} once n and m are relatively prime")
    return m // common, n // common


def _connections(found: dict[str, int]) -> Connections:
    if found["M"] != found["N"]:
        refuse("M", found["M"], f"N, {found['N']}: each connection of phase 1 has an entry in the Tester's table")
    phase_1_s = found["N"] / found["R"] + found["T"] / 1000
    return Connections(found["N"], found["R"], max(0.0, found["D"] / 1000 - phase_1_s))
