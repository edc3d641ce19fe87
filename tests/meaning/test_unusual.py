"""All frames of a direction are lost, and they are unusual: what is said follows from whether the usual ones came."""

from __future__ import annotations

import pytest

from tests.meaning.test_explain import answer
from xlatperf.config.load import parse_bench
from xlatperf.meaning.about import About
from xlatperf.meaning.explain import explain

SIIT = About.of(
    parse_bench('technology = { name = "siit", ipv6_side = "right" }\ntraffic.udp_checksum = false', "bench")
)
LOST = {"expected": 0, "lost": 1000}
MAY = "the DUT may drop IPv4 UDP without a checksum"
DROPS = "so the DUT drops IPv4 UDP without a checksum"


@pytest.mark.parametrize(
    ("came", "says", "not_says"),
    [
        (None, MAY, DROPS),
        (True, DROPS, MAY),
        (False, "and the DUT sent no error: is forwarding on", "without a checksum"),
    ],
)
def test_it_is_said_as_far_as_it_is_known(came: bool | None, says: str, not_says: str) -> None:
    """RFC 7915 §4.5: what was tried and made no difference is no reason."""
    about = About(does=SIIT.does, unusual=SIIT.unusual, usual_came=came)
    text = "\n".join(explain(answer(LOST), about=about))
    assert says in text
    assert not_says not in text


def test_errors_say_more() -> None:
    error = {"version": 4, "type": 3, "code": 13, "count": 1000, "from": "198.18.0.1"}
    told = answer(LOST, {"icmp_errors": [error]})
    untried = "\n".join(explain(told, about=About(does=SIIT.does, unusual=SIIT.unusual)))
    assert MAY in untried
    assert "; the ICMP errors below say more" in untried
    tried = "\n".join(explain(told, about=About(does=SIIT.does, unusual=SIIT.unusual, usual_came=False)))
    assert "; the ICMP errors below say why." in tried
