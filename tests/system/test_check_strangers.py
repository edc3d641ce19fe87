"""R6052-2.2, R9693-3.1: what isn't under the prefix, or for an address of the pool, must not be translated."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.system.command import REPOSITORY
from tests.system.requirements import needs_nft, needs_root, needs_tayga
from xlatperf.campaign.session import Session, session
from xlatperf.commands.check_strangers import FRAMES, Strangers, other_address, other_prefix, strangers, with_prefix
from xlatperf.config.bench import Bench
from xlatperf.config.load import load_bench, parse_bench
from xlatperf.technologies.stateful import PoolTechnology

TIMEOUT_S = 0.15
OTHER_ADDRESS = "ip daddr 198.19.0.3 ip daddr set 198.19.0.1"
OTHER_PREFIX = "ip6 daddr 2001:2:0:9999::c613:2 ip6 daddr set 2001:2:0:6464::c613:2"
TAKES_ANY = "the DUT takes the IPv4 address out of a destination that isn't in 2001:2:0:6464::/96"


def tried(bench: Bench, running: Session) -> list[Strangers]:
    return list(strangers(bench, running, TIMEOUT_S))


@needs_root
@needs_nft
@pytest.mark.parametrize(
    ("name", "family", "rule", "found"),
    [
        pytest.param("nft-nat44", "ip", OTHER_ADDRESS, {"the DUT looks at the port alone": FRAMES}),
        pytest.param("tayga-siit", "ip6", OTHER_PREFIX, {TAKES_ANY: FRAMES}, marks=needs_tayga),
        pytest.param("tayga-nat64", "ip6", OTHER_PREFIX, {TAKES_ANY: FRAMES, "port alone": 0}, marks=needs_tayga),
    ],
)
def test_a_lenient_device_is_found(name: str, family: str, rule: str, found: dict[str, int]) -> None:
    """Before anything else the device puts right what must not be right: a translator that looks at less."""
    bench = load_bench(REPOSITORY / "examples" / f"{name}.toml")
    with session(bench) as running:
        assert [one.translated for one in tried(bench, running)] == [0] * len(found)
        device: Any = running.device
        dut = device._dut.testbed.dut
        hook = "{ type filter hook prerouting priority -400 ; }"
        dut.run(("nft", "add", "table", family, "lenient"))
        dut.run(("nft", "add", "chain", family, "lenient", "first", hook))
        dut.run(("nft", "add", "rule", family, "lenient", "first", *rule.split()))
        for one, (why, translated) in zip(tried(bench, running), found.items(), strict=True):
            assert (one.translated, why in one.why) == (translated, True)
            assert f"{translated or 'none'} of {FRAMES} " in one.line()


def test_beside_background() -> None:
    """R8219-5.3-3: native IPv6 in the background is none of these frames."""
    bench = parse_bench('technology.name = "siit"\ndevice.driver = "reference"\ntraffic.mix = [[1, 2]]', "b")
    with session(bench) as running:
        assert [one.translated for one in tried(bench, running)] == [0]


def test_another_prefix_than_any() -> None:
    assert other_prefix("2001:2:0:6464::/96") == "2001:2:0:9999::/96"
    assert other_prefix("2001:2:0:9999::/96") == "2001:2:0:9998::/96"
    assert other_prefix("2001:2::/32") == "2001:db8:9999::/96"


@pytest.mark.parametrize(
    ("keys", "address"),
    [
        ("", "198.19.0.3"),
        ('pool = { first = "198.18.0.1", addresses = 4 }', "198.18.0.5"),
        ('pool = { first = "192.168.18.255" }', "192.168.19.0"),
    ],
)
def test_another_address_than_anybodys(keys: str, address: str) -> None:
    """The server has 198.19.0.2, Tester and DUT 192.168.19.2 and .1 on the right."""
    bench = parse_bench(f'[technology]\nname = "nat44"\n{keys}', "b")
    assert isinstance(bench.technology, PoolTechnology)
    assert other_address(bench, bench.technology) == address


def test_the_hosts_of_the_ipv6_side_stay_what_they_were() -> None:
    bench = parse_bench(
        """
        [technology]
        name = "siit"
        eam = [{ ipv4 = "198.18.0.0/24", ipv6 = "2001:2::/120" }, { ipv4 = "198.19.0.0/24", ipv6 = "2001:2:1::/120" }]
        """,
        "b",
    )
    technology = with_prefix(bench, "2001:2:0:9999::/96")["technology"]
    assert json.dumps(technology["eam"]) == '[{"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/120"}]'
    assert technology["prefix"] == "2001:2:0:9999::/96"
