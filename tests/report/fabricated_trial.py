"""Test data: trials that no one ran, and frames that no one sent."""

from __future__ import annotations

from xlatperf.engine.trial_answer import ClassCounters, Delay, InvalidReason
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.results.trial_records import DirectionRecord, TrialRecord

ETHERNET = "020000000002" + "020000000001"
SENT_IPV6 = (
    ETHERNET
    + "86dd"
    + "60000000001a110a"
    + "20010002000000000000000000000002"
    + "20010db8646400000000"
    + "0000c6130002"
    + "c02000070001a1b2"
    + "584c0a00110000000000aabb010203040506"
)
EXPECTED_IPV4 = (
    ETHERNET
    + "0800"
    + "4500002e000040000911b0a1"
    + "c6120002"
    + "c6130002"
    + "c0200007001a9f31"
    + "584c0a00110000000000aabb010203040506"
)
WRONG_IPV4 = (
    ETHERNET[:12]
    + "02000000000f"
    + "0800"
    + "4500002e3a1c40000911768f"
    + "c6120002"
    + "c6130003"
    + "c0200007001a9f30"
    + "584c0a00110000000000aabb010203040506"
)


def delay(count: int, scale: float = 1.0) -> Delay:
    """Delays around 60 microseconds."""
    if not count:
        return Delay(count=0)
    return Delay(
        count=count,
        negative=0,
        min_ns=21_403 * scale,
        p1_ns=30_000 * scale,
        median_ns=61_056 * scale,
        mean_ns=70_000.5 * scale,
        p99_ns=412_672 * scale,
        p999_ns=1_204_224 * scale,
        max_ns=2_913_877 * scale,
    )


def counters(
    sent: int, lost: int, wrong: dict[str, int] | None = None, remarks: dict[str, int] | None = None
) -> ClassCounters:
    """One class; wrong frames are not expected ones."""
    wrong = wrong or {}
    expected = sent - lost - sum(wrong.values())
    return ClassCounters(
        sent=sent, expected=expected, lost=lost, wrong=wrong, remarks=remarks or {}, delay=delay(expected)
    )


def direction(
    rate: float,
    duration: float,
    loss: float,
    size: tuple[int, int],
    wrong: dict[str, int] | None = None,
    mix: tuple[int, int] = (1, 1),
) -> DirectionRecord:
    """`loss` is a ratio."""
    frames = int(rate * duration)
    front = frames * mix[0] // mix[1]
    foreground = counters(front, int(front * loss), wrong)
    background = counters(frames - front, 0) if front != frames else None
    missing = foreground.sent - foreground.expected
    return DirectionRecord(
        intended=frames,
        sent=frames,
        offered_fps=rate,
        loss=missing,
        loss_percent=100 * missing / frames if frames else 0.0,
        frame_size_sent=size[0],
        frame_size_received=size[1],
        foreground=foreground,
        background=background,
        late_frames=3,
        longest_stall_ns=184_220.0,
    )


def trial(
    number: int,
    run: str,
    rate: float,
    *,
    loss: float = 0.0,
    valid: bool = True,
    size: int = 84,
    duration: float = 2.0,
    wrong: dict[str, int] | None = None,
    mix: tuple[int, int] = (1, 1),
    reverse: bool = True,
) -> TrialRecord:
    """A trial in both directions."""
    reasons = () if valid else (InvalidReason(code="sent_less", text="left sent 301,204 of 400,000 frames"),)
    return TrialRecord(
        number=number,
        run=run,
        valid=valid,
        reasons=reasons,
        elapsed_s=duration + 2,
        request=TrialRequest(
            frame_size=size,
            frame_size_of="ipv6",
            rate_fps=rate,
            duration_s=duration,
            timeout_s=0.5,
            directions=("forward", "reverse") if reverse else ("forward",),
            frame_timeout_ms=None,
            purpose="search",
        ),
        forward=direction(rate, duration, loss, (size, size - 20), wrong, mix),
        reverse=direction(rate, duration, loss / 2, (size - 20, size), None, mix) if reverse else None,
        port_counters={"left": {}, "right": {"foreign": 2}},
        icmp_errors=(),
        samples=(),
    )
