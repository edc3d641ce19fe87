"""R6052-2.2, R9693-3.1: what isn't under the prefix, or for an address of the pool, must not be translated."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.devices.parts import part
from tests.system.campaigns import campaign
from tests.system.command import REPOSITORY
from tests.system.requirements import needs_nft, needs_root, needs_tayga
from tests.system.shortened import shortened
from tests.system.trials import RELAXED
from xlatperf.commands.check_learning import learnt_bench
from xlatperf.commands.check_negative import check_negative
from xlatperf.config.load import load_bench, parse_bench
from xlatperf.devices.kernel_dut import KernelDut
from xlatperf.meaning.refusals import in_words
from xlatperf.procedures.negative import FRAMES, NegativeOutcome
from xlatperf.run.session import session

TIMEOUT_S = 0.15
OTHER_ADDRESS = "ip daddr 198.19.0.3 ip daddr set 198.19.0.1"
OTHER_PREFIX = "ip6 daddr 2001:db8:0:6464::c613:2 ip6 daddr set 2001:2:0:6464::c613:2"
TAKES_ANY = "the DUT takes the IPv4 address out of a destination that isn't in 2001:2:0:6464::/96"


def passed(found: list[NegativeOutcome]) -> dict[str, int]:
    assert [one.untried for one in found if one.untried] == []
    return {one.test.name: one.passed for one in found}


@needs_root
@needs_nft
@pytest.mark.parametrize(
    ("name", "family", "rule", "found", "why"),
    [
        pytest.param("nft-nat44", "ip", OTHER_ADDRESS, {"pool": FRAMES}, "the DUT looks at the port alone"),
        pytest.param("tayga-siit", "ip6", OTHER_PREFIX, {"prefix": FRAMES}, TAKES_ANY, marks=needs_tayga),
        pytest.param("tayga-nat64", "ip6", OTHER_PREFIX, {"prefix": FRAMES, "pool": 0}, TAKES_ANY, marks=needs_tayga),
    ],
)
def test_a_lenient_device_is_found(name: str, family: str, rule: str, found: dict[str, int], why: str) -> None:
    """Before anything else the device puts right what must not be right: a translator that looks at less."""
    bench = load_bench(REPOSITORY / "examples" / f"{name}.toml")
    with session(bench) as running:
        assert passed(check_negative(bench, running, TIMEOUT_S)) == dict.fromkeys(found, 0)
        dut = part(running.device, KernelDut).testbed.dut
        hook = "{ type filter hook prerouting priority -400 ; }"
        dut.run(("nft", "add", "table", family, "lenient"))
        dut.run(("nft", "add", "chain", family, "lenient", "first", hook))
        dut.run(("nft", "add", "rule", family, "lenient", "first", *rule.split()))
        now = check_negative(bench, running, TIMEOUT_S)
        assert passed(now) == found
        lines = [in_words(one) for one in now if one.passed]
        assert len(lines) == 1
        assert f"{FRAMES} of {FRAMES} came through, and none should: {why}" in lines[0]


@pytest.mark.parametrize(
    ("technology", "names"),
    [
        ('name = "siit"', ["prefix"]),
        ('name = "siit"\nipv6_side = "right"', ["prefix"]),
        ('name = "nat44"', ["pool"]),
        ('name = "nat64"', ["prefix", "pool"]),
        ('name = "nat66"', ["pool"]),
    ],
)
def test_the_reference_device_refuses(technology: str, names: list[str]) -> None:
    """R8219-5.3-3: beside background as well, which none of these frames are."""
    mix = "" if "nat66" in technology else "traffic.mix = [[1, 2]]"
    bench = parse_bench(f'{mix}\n[technology]\n{technology}\n[device]\ndriver = "reference"\n{RELAXED}', "b")
    with session(bench) as running:
        assert passed(check_negative(bench, running, TIMEOUT_S)) == dict.fromkeys(names, 0)


def test_fewer_connections_than_frames() -> None:
    """All of them are open, and have several frames."""
    text = 'device.driver = "reference"\ntechnology.name = "nat44"\ntraffic.hops = "learn"\n[traffic.connections]\n'
    few = "client_ports = { first = 1024, last = 1025 }\nserver_ports = { first = 7, last = 8 }"
    bench = parse_bench(f"{text}{few}\n{RELAXED}", "b")
    assert bench.most_connections() == 4
    with session(bench) as running:
        known, (forward, _) = learnt_bench(bench, running, TIMEOUT_S)
        assert forward.hops == 1
        assert passed(check_negative(known, running, TIMEOUT_S)) == {"pool": 0}


@needs_root
@needs_tayga
def test_a_campaign_has_it_too(tmp_path: Path) -> None:
    """Beside the rate of a PLAT (RFC 6877) stands what it refused."""
    text = shortened("464xlat-plat", repetitions="1", connections="[20]", maximum_fps="200", minimum_fps="100")
    made = campaign(tmp_path, text)
    assert [(one["test"]["name"], one["passed"], one["untried"]) for one in made.results["negative_tests"]] == [
        ("prefix", 0, None),
        ("pool", 0, None),
    ]
    assert "of 2 refused" in (made.folder / "report.html").read_text(encoding="utf-8")
