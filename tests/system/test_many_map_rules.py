"""R7597-5: a rule set of hundreds, as large providers have them, against the reference device."""

from __future__ import annotations

import random
from ipaddress import IPv4Address, IPv6Address

import pytest

from tests.system.gateway import SIDES, gateway
from tests.system.trials import clean, counters
from xlatperf.commands.check_negative import check_negative

RULES, RATE_FPS, DURATION_S = 428, 2000, 0.5
SENT = int(RATE_FPS * DURATION_S)
DICE = random.Random(428)


def rules(end: str) -> str:
    """A /24 each, in six shapes and no order, with some CEs."""
    lines = []
    for index in range(RULES):
        ipv4, ipv6 = IPv4Address("198.18.0.0") + (index << 8), IPv6Address("2001:db8::") + (index << 80)
        psid_length, psid_offset, ces = DICE.choice((4, 6)), DICE.choice((0, 4, 6)), DICE.randrange(1, 9)
        lines.append(
            f'{{ ipv6 = "{ipv6}/48", ipv4 = "{ipv4}/24", ea_bits = {8 + psid_length}, psid_offset = {psid_offset}, '
            f"ces = {ces}, {end} }}"
        )
    DICE.shuffle(lines)
    return "domains = [\n" + ",\n".join(lines) + "]"


@pytest.mark.parametrize(
    ("name", "end"), [("map-e", 'br = "2001:db8:ffff::1"'), ("map-t", 'dmr = "2001:db8:ffff::/64"')]
)
def test_frames_of_all_are_right(name: str, end: str) -> None:
    hosts = '\n[traffic.right.hosts]\nprefix = "203.0.113.0/24"\n'
    with gateway(f"{name} br", technology=rules(end) + hosts) as device:
        seen = device.trial(frame_size=104, rate_fps=RATE_FPS, duration_s=DURATION_S)
        for direction in SIDES:
            assert counters(seen.answer[direction]["foreground"]) == clean(SENT)
            assert seen.device[direction]["refused"] == {}
        found = check_negative(device.bench, device.running, 0.1)
        tried = [one for one in found if not one.test.impossible]
        assert len({one.test.part for one in tried}) == 6, "one rule of each shape"
        assert all(one.refused for one in tried)
