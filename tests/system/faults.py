"""What the reference device does wrong when it's told to, and the Tester's counter of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.system.gateway import SIDES, Gateway
from tests.system.trials import clean, counters, intervals_add_up, quiet_port

RATE_FPS, DURATION_S = 10_000, 0.1
SENT = 1000
EVERY = 97
HIT = SENT // EVERY


@dataclass(frozen=True)
class Fault:
    """What is ordered; the device's counter; the Tester's counter, and what becomes of `expected` for each one hit."""

    order: dict[str, Any]
    counted: tuple[str, ...]
    counter: str
    expected: int = -1
    lost: int = 0


def corrupt(what: str, counter: str) -> Fault:
    return Fault({"corrupt": [{"what": what, "every": EVERY}]}, ("corrupted", what), counter)


FAULTS = {
    "drop": Fault({"drop": {"every": EVERY}}, ("dropped",), "lost", lost=1),
    "duplicate": Fault({"duplicate": {"every": EVERY}}, ("duplicated",), "duplicate", expected=0),
    "reorder": Fault({"reorder": {"by": 3, "every": EVERY}}, ("reordered",), "overtaken", expected=0),
    "payload": corrupt("payload", "payload"),
    "address": corrupt("address", "wrong_address"),
    "source_address": corrupt("source_address", "wrong_address"),
    "port": corrupt("port", "wrong_port"),
    "udp_checksum": corrupt("udp_checksum", "udp_checksum"),
    "traffic_class": corrupt("traffic_class", "traffic_class"),
    "hop_limit": corrupt("hop_limit", "hop_limit"),
    "hop_limit by itself": Fault({"hop_limit": {"every": EVERY}}, ("corrupted", "hop_limit"), "hop_limit"),
}


def of(device: dict[str, Any], path: tuple[str, ...]) -> int:
    """A counter of the device, which leaves out what is zero."""
    value: Any = device
    for name in path:
        value = value.get(name, 0)
    assert isinstance(value, int)
    return value


def hit_and_counted(device: Gateway, fault: Fault, directions: tuple[str, ...], frame_size: int) -> None:
    """Orders the fault for these directions, and asserts what is counted in both."""
    device.impair(**dict.fromkeys(directions, fault.order))
    seen = device.trial(frame_size=frame_size, rate_fps=RATE_FPS, duration_s=DURATION_S, interval_s=DURATION_S / 2)
    for name, (_, arrival) in SIDES.items():
        hit = of(seen.device[name]["impairments"], fault.counted)
        assert hit == (HIT if name in directions else 0)
        changed = {
            fault.counter: hit,
            "lost": hit * fault.lost,
            "expected": SENT + hit * (fault.expected if hit else 0),
        }
        assert counters(seen.answer[name]["foreground"]) == clean(SENT, **changed)
        intervals_add_up(seen.answer[name])
        extra = hit if fault.counter == "duplicate" else 0
        quiet_port(seen.answer[arrival], received=SENT - hit * fault.lost + extra)
