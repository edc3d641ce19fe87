"""464XLAT's bench files: the same client and server at the CLAT, at the PLAT and at both; their theoretical maximum."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from xlatperf.config.bench import Bench
from xlatperf.config.load import load_bench, parse_bench
from xlatperf.config.template import template
from xlatperf.procedures.theoretical import mean_maximum_fps
from xlatperf.technologies.siit import Siit

EXAMPLES = Path(__file__).parents[2] / "examples"
PARTS = ("clat", "plat", "both")
TEMPLATES = [parse_bench(template(name), "template") for name in ("clat", "plat", "464xlat")]
MANUAL = [load_bench(EXAMPLES / f"manual-464xlat{name}-100g.toml") for name in ("-clat", "-plat", "")]
DEMONSTRATION = [load_bench(EXAMPLES / f"464xlat{name}.toml") for name in ("-clat", "-plat", "")]


def sizes(bench: Bench) -> tuple[int, ...]:
    return next(measure.single_sizes for measure in bench.measure if measure.procedure == "throughput")


@pytest.mark.parametrize("benches", [TEMPLATES, MANUAL, DEMONSTRATION], ids=["init", "manual", "demonstration"])
def test_the_parts_fit_together(benches: list[Bench]) -> None:
    """RFC 6877 App. A: what the CLAT makes of its client is the PLAT's client."""
    assert [bench.technology.of_464xlat(bench.technology.model_dump()) for bench in benches] == list(PARTS)
    clat, plat, both = benches
    assert isinstance(clat.technology, Siit)
    client, server = ip_address("10.0.0.2"), ip_address("198.19.0.2")
    hosts = [clat.traffic.left.hosts, clat.traffic.right.hosts]
    assert [ip_network(one.prefix)[one.host] for one in hosts] == [client, server]
    row = clat.technology.eam[0]
    image = ip_network(row.ipv6)[int(client) - int(ip_network(row.ipv4)[0])]
    connections = [bench.traffic.connections for bench in (plat, both)]
    assert [ip_address(one.clients.first) for one in connections if one] == [image, client]
    assert [ip_address(one.servers.first) for one in connections if one] == [server, server]
    assert clat.technology.translation_prefix == plat.technology.translation_prefix
    assert image not in ip_network(clat.technology.translation_prefix or "::/0"), "a prefix for each side"
    assert sizes(clat) == sizes(plat) == sizes(both)
    assert {bench.traffic.frame_size_of for bench in benches} == {"ipv4"}


def test_frames_fit_between_the_devices() -> None:
    """R8219-5.1-3: 1498 bytes of IPv4 are a packet of 1500 bytes as IPv6."""
    assert [sizes(bench)[-1] for bench in TEMPLATES] == [1498, 1498, 1498]
    native = 'technology = { name = "native", double_translation = true }\nmeasure = [{ procedure = "throughput" }]'
    assert sizes(parse_bench(native, "b"))[-1] == 1498
    assert sizes(parse_bench(native.replace("true", "false"), "b"))[-1] == 1518


def test_the_theoretical_maximum_of_both() -> None:
    """R8219-5.1-2: the frame between the two devices bounds it, which the Tester sees nowhere."""
    clat, _, both = (bench.technology for bench in TEMPLATES)
    segments = list(both.on_segments(64, 64, (0, 0)))
    assert segments == [64, 64, 84]
    assert segments[1:] == list(clat.on_segments(64, 84, (0, 0)))
    assert round(mean_maximum_fps(10_000, segments, 84, 1, 1)) == 12_019_231  # as of a CLAT or PLAT alone
