"""Positional arguments: what they mean, and the line about one that can't be."""

from __future__ import annotations

import pytest

from xlatperf.dropin.arguments import Arguments, Connections, Kind, parse


def words(text: str) -> list[str]:
    return text.split()


def test_stateless() -> None:
    assert parse(Kind.THROUGHPUT, words("84 1000 60 2000 10 9"), stateful=False) == Arguments(
        Kind.THROUGHPUT, 84, 1000, 60, 2000, (9, 10), None
    )
    assert parse(Kind.THROUGHPUT, words("84 1000 60 2000 3001 0"), stateful=False).mix == (0, 1)
    assert parse(Kind.LATENCY, words("1518 1000 120 2000 2 2 60 50000"), stateful=False) == Arguments(
        Kind.LATENCY, 1518, 1000, 120, 2000, (1, 1), None, tagged_from_s=60, tags=50000
    )
    assert parse(Kind.PDV, words("84 1000 60 2000 2 1 10"), stateful=False) == Arguments(
        Kind.PDV, 84, 1000, 60, 2000, (1, 2), None, frame_timeout_ms=10
    )


def test_stateful() -> None:
    """D is from the beginning of phase 1: what N frames at R and T take of it is no pause."""
    found = parse(Kind.THROUGHPUT, words("84 1 1 2000 2 2 4000 4000 1000 500 5000"), stateful=True)
    assert found.connections == Connections(4000, 1000, 0.5)
    found = parse(Kind.LATENCY, words("84 9 9 2000 2 2 4000 4000 1000 500 1 0 5"), stateful=True)
    assert found.connections == Connections(4000, 1000, 0.0)
    assert (found.tagged_from_s, found.tags) == (0, 5)


@pytest.mark.parametrize(
    ("kind", "text", "stateful", "want"),
    [
        (Kind.THROUGHPUT, "84 1000 60 2000 2", False, "arguments: 5 is not allowed: 6: <IPv6 frame size> <rate> <dur"),
        (Kind.THROUGHPUT, "84 1000 60 2000 2 2", True, "arguments: 6 is not allowed: 11: <IPv6 frame size> <rate> <d"),
        (Kind.PDV, "84 1000 60 2000 2 2", False, "arguments: 6 is not allowed: 7: "),
        (
            Kind.THROUGHPUT,
            "83 1000 60 2000 2 2",
            False,
            "IPv6 frame size: 83 is not allowed: a whole number, 84",
        ),
        (Kind.THROUGHPUT, "84 0 60 2000 2 2", False, "rate: 0 is not allowed: a whole number, 1 to 1000000000"),
        (Kind.THROUGHPUT, "84 1e6 60 2000 2 2", False, "rate: 1e6 is not allowed"),
        (Kind.THROUGHPUT, "84 1 3601 2000 2 2", False, "duration: 3601 is not allowed: a whole number, 1 to 3600"),
        (Kind.THROUGHPUT, "84 1 1 2000 2 0 4 4 1 500 1", True, "m: 0 is not allowed: 1 or more: connections are made"),
        (
            Kind.THROUGHPUT,
            "84 1 1 2000 3001 1",
            False,
            "n: 3001 is not allowed: at most 1000 once n",
        ),
        (Kind.LATENCY, "84 1 60 2000 2 2 60 500", False, "delay: 60 is not allowed: less than the duration, 60"),
        (
            Kind.LATENCY,
            "84 1 60 2000 2 2 6 50001",
            False,
            "timestamps: 50001 is not allowed: a whole",
        ),
        (
            Kind.THROUGHPUT,
            "84 1 1 2000 2 2 9 8 1 1 1",
            True,
            "M: 8 is not allowed: N, 9: each",
        ),
    ],
)
def test_faults(kind: Kind, text: str, stateful: bool, want: str) -> None:
    with pytest.raises(ValueError, match="is not allowed") as caught:
        parse(kind, words(text), stateful=stateful)
    assert str(caught.value).startswith(want)
