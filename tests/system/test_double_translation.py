"""R7915-V: IPv4 that became IPv6 and IPv4 again: ID and DF are the DUT's, by rule; all else is strict."""

from __future__ import annotations

import pytest

from tests.system.gateway import SIDES, Gateway, gateway
from tests.system.stateful_gateway import stateful_gateway
from tests.system.stateful_messages import counts
from tests.system.trials import clean, counters

RATE_FPS, DURATION_S, SENT = 10_000, 0.1, 1000
TWICE = "IPv4 translated twice"
STRICT = {
    "payload": "payload",
    "address": "wrong_address",
    "source_address": "wrong_address",
    "port": "wrong_port",
    "udp_checksum": "udp_checksum",
    "ip_checksum": "ip_checksum",
    "traffic_class": "traffic_class",
    "hop_limit": "hop_limit",
}


def seen(device: Gateway, frame_size: int) -> dict[str, dict[str, int]]:
    """The foreground's counters in both directions."""
    answer = device.trial(frame_size=frame_size, rate_fps=RATE_FPS, duration_s=DURATION_S).answer
    return {name: counters(answer[name]["foreground"]) for name in SIDES}


def both(**others: int) -> dict[str, dict[str, int]]:
    return dict.fromkeys(SIDES, clean(SENT, **others))


def test_a_device_that_follows_the_rules() -> None:
    """R7915-5.1: DF 0 up to 1260 bytes (a frame of 1278), any identification. And each other fault is found."""
    with gateway(TWICE) as device:
        for frame_size in (64, 1278, 1279, 1518):
            assert seen(device, frame_size) == both()
        orders = [{"what": what, "positions": [50 * (number + 1)]} for number, what in enumerate(STRICT)]
        device.impair(forward={"corrupt": orders}, reverse={"corrupt": orders})
        wrong = {counter: list(STRICT.values()).count(counter) for counter in STRICT.values()}
        assert seen(device, 64) == both(expected=SENT - len(STRICT), **wrong)


def test_a_device_that_keeps_the_headers() -> None:
    """Its frames are right; that DF isn't as one translation makes it is a remark."""
    with gateway(TWICE, "device.double_translation = false") as device:
        assert seen(device, 64) == both(df_differs=SENT)
        assert seen(device, 1518) == both()


def test_without_the_key_headers_are_strict() -> None:
    """A router that changes identification or DF is wrong (RFC 1812 §5.3.1 changes the TTL only)."""
    with gateway("native IPv4", "device.double_translation = true") as device:
        assert seen(device, 64) == both(expected=0, dont_fragment=SENT)


@pytest.mark.parametrize(("keys", "wrong"), [("double_translation = true", {}), ("", {"dont_fragment": SENT})])
def test_464xlat_as_one_nat44(keys: str, wrong: dict[str, int]) -> None:
    """RFC 6877: the device makes headers as CLAT and PLAT do. Without the key not one connection would be opened."""
    with stateful_gateway("nat44", "double_translation = true", keys=keys) as device:
        phase_1 = device.trial("establish", SENT, RATE_FPS).answer
        assert counts(phase_1, "forward") == {"sent": SENT, **(wrong or {"expected": SENT})}
        if not wrong:
            answer = device.trial("each_once", SENT, RATE_FPS).answer
            assert counts(answer, "reverse") == {"sent": SENT, "expected": SENT}
