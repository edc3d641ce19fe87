"""`left` and `right` of native IPv4 that is translated twice: the addresses of both translators (RFC 7915 §6)."""

from __future__ import annotations

import pytest

from tests.config.test_errors import fault
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message

NATIVE = 'technology.name = "native"\ntraffic.frame_size_of = "ipv4"\n'
TWICE = NATIVE + "technology.double_translation = true\n"
EAM = '[{ ipv4 = "198.18.0.0/24", ipv6 = "2001:db8:1::/120" }]'
PREFIX = '"2001:db8:6464::/96"'


def test_the_engine_is_told() -> None:
    text = f"{TWICE}technology.left = {{ eam = {EAM} }}\ntechnology.right = {{ prefix = {PREFIX} }}\n"
    assert configure_message(parse_bench(text, "b"), (1, 1))["technology"] == {
        "name": "native",
        "family": "ipv4",
        "double_translation": True,
        "left": {"eam": [{"ipv4": "198.18.0.0/24", "ipv6": "2001:db8:1::/120"}]},
        "right": {"prefix": "2001:db8:6464::/96", "eam": []},
    }
    without = configure_message(parse_bench(TWICE, "b"), (1, 1))["technology"]
    assert without == {"name": "native", "family": "ipv4", "double_translation": True}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{NATIVE}technology.left.eam = {EAM}\n", "technology.left: a table is not allowed: none without double_tra"),
        (f"{TWICE}technology.left.eam = {EAM}\n", "technology.right: missing: a table such as { prefix ="),
        (f"{TWICE}technology.right.prefix = {PREFIX}\n", "technology.left: missing: a table such as { prefix ="),
        (f"{TWICE}technology.right = {{}}\ntechnology.left.prefix = {PREFIX}\n", "technology.right.eam: missing: expl"),
        (f'{TWICE}technology.left.prefix = "2001:db8::/95"\n', "technology.left.prefix:"),
        (f'{TWICE}technology.left.eam = [{{ ipv4 = "198.18.0.0/24" }}]\n', "technology.left.eam[0].ipv6: missing"),
        (
            f"{TWICE}technology.left.eam = [{EAM[1:-1]}, {EAM[1:-1]}]\n",
            "technology.left.eam[1].ipv4: 198.18.0.0/24 is not allowed: a network that eam[0] doesn't have",
        ),
    ],
)
def test_refused(text: str, said: str) -> None:
    assert said in fault(text)
