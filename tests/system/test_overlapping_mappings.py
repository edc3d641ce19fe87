"""RFC 7757 §3.3: overlapping mappings are told apart by the longest match, in each direction by its own prefixes."""

from __future__ import annotations

import pytest

from tests.system.gateway import gateway
from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench

OVERLAPPING = """eam = [
  { ipv4 = "198.18.0.0/24", ipv6 = "2001:2::/120" },
  { ipv4 = "203.0.113.7/32", ipv6 = "2001:2::2/128" },
  { ipv4 = "192.0.2.0/24", ipv6 = "2001:2:0:6464::c613:0/120" },
]
"""
"""The host on the left has an address that only the second row has on the way back; that on the right the third row."""


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_right_translator_is_right(side: str) -> None:
    other = OVERLAPPING
    if side == "right":  # the IPv6 hosts' networks are the right ones then
        other = other.replace("c613:0/120", "c612:0/120").replace("198.18.0.0/24", "198.19.0.0/24")
    with gateway(f"siit, IPv6 {side}", technology=f'prefix = "2001:2:0:6464::/96"\n{other}') as device:
        seen = device.trial(frame_size=84, rate_fps=1000.0, duration_s=0.1).answer
        for name in ("forward", "reverse"):
            counters = seen[name]["foreground"]
            assert (counters["expected"], counters["wrong"], counters["lost"]) == (100, {}, 0), name
        shown = device.engine.show(84, "ipv6", 1, ["forward" if side == "left" else "reverse"])
        assert "IPv4 203.0.113.7 > 192.0.2.2" in shown[0].expected.text


@pytest.mark.parametrize(
    ("row", "line"),
    [
        (
            'ipv4 = "198.18.0.0/24", ipv6 = "2001:2:0:1::/120"',
            "eam[1].ipv4: 198.18.0.0/24 is not allowed: a network that",
        ),
        ('ipv4 = "198.18.1.0/24", ipv6 = "2001:2::/120"', "eam[1].ipv6: 2001:2::/120 is not allowed: a network that"),
    ],
)
def test_contradictions_are_refused(row: str, line: str) -> None:
    rows = f'eam = [{{ ipv4 = "198.18.0.0/24", ipv6 = "2001:2::/120" }}, {{ {row} }}]'
    with pytest.raises(BenchError, match="eam") as refused:
        parse_bench(f'[technology]\nname = "siit"\n{rows}', "b")
    assert f"technology.{line} eam[0] doesn't have" in str(refused.value)
