"""docs/bench-file.md says what the models say."""

from __future__ import annotations

from docs import bench_file
from xlatperf.config.describe import describe_keys
from xlatperf.config.load import parse_bench

TEXT = bench_file.PAGE.text()


def test_up_to_date() -> None:
    assert bench_file.PAGE.with_part(bench_file.tables()) == TEXT, "run: python -m docs.bench_file"
    assert bench_file.DRIVERS_PART.with_part(bench_file.drivers()) == TEXT, "run: python -m docs.bench_file"


def test_every_key_is_there() -> None:
    for key in describe_keys():
        shown = f"`{key.place.rpartition('.')[2]}`" in TEXT
        assert shown or key.allowed == "a table" or bench_file.is_made(key), key.place


def test_smallest_file() -> None:
    example = TEXT.partition("```toml\n")[2].partition("```")[0]
    bench = parse_bench(example, "docs/bench-file.md")
    assert (bench.device.driver, bench.measure[0].procedure) == ("reference", "throughput")


def test_dependent_defaults() -> None:
    """The table of defaults that depend on other keys."""
    siit = parse_bench('technology.name = "siit"\nmeasure = [{ procedure = "throughput" }]', "")
    assert (siit.traffic.frame_size_of, siit.measure[0].frame_sizes[0], siit.measure[0].frame_sizes[-1]) == (
        "ipv6",
        84,
        1518,
    )
    assert siit.technology.model_dump(mode="json")["eam"] == [{"ipv4": "198.18.0.0/16", "ipv6": "2001:2::/112"}]
    assert (siit.traffic.left.hosts.prefix, siit.traffic.right.hosts.prefix) == ("198.18.0.0/24", "198.19.0.0/24")
    by_ipv4 = parse_bench(
        'technology.name = "siit"\ntraffic.frame_size_of = "ipv4"\nmeasure = [{procedure = "throughput"}]', ""
    )
    assert by_ipv4.measure[0].frame_sizes[-1] == 1498
    ipv6 = parse_bench('technology = { name = "native", family = "ipv6" }', "")
    assert (ipv6.traffic.left.hosts.prefix, ipv6.traffic.right.hosts.prefix) == ("2001:2::/64", "2001:2:0:8000::/64")
    assert ipv6.traffic.right.background_hosts.prefix == "2001:2:0:9000::/64"
    assert (ipv6.tester.right.ipv6, ipv6.tester.right.gateway_ipv4) == ("2001:2:0:ffff::2/64", "192.168.19.1")
