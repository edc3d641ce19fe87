"""A wrong bench file: one line per fault with file, place, value and what is allowed; never a traceback."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.long import by_length, more
from xlatperf.config.errors import BenchError
from xlatperf.config.load import bench_of_tables, load_bench, parse_bench
from xlatperf.procedures.registry import NAMES as PROCEDURES

SIIT = 'technology.name = "siit"\n'
NAMES = "native, siit, nat44, nat64, nat66, map-e, map-t, map-e-ce, map-t-ce, lw4o6, "
NAMES += "lw4o6-b4, dslite or dslite-b4"
MEASURE = SIIT + '[[measure]]\nprocedure = "throughput"\n'


def fault(text: str) -> str:
    with pytest.raises(BenchError) as caught:
        parse_bench(text, "b.toml")
    assert len(caught.value.lines) == 1, caught.value.lines
    line = caught.value.lines[0]
    assert "\n" not in line
    return line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            SIIT + "[traffic.forward.source_ports]\nfirst = 70000",
            "b.toml: traffic.forward.source_ports.first: 70000 is not allowed: a whole number, 0 to 65535",
        ),
        (
            SIIT + "[traffic.reverse]\nflows = 0",
            "b.toml: traffic.reverse.flows: 0 is not allowed: a whole number, 1 to 4294967295",
        ),
        (
            SIIT + "[traffic]\nforward = { flows = 17, source_ports.last = 1031, destination_ports.order = 'fixed' }\n"
            "left.hosts.networks = 2",
            "b.toml: traffic.forward.flows: 17 is not allowed: at most 16, which hosts and ports make",
        ),
        (
            SIIT + "[traffic.forward]\nflows = 1\nsource_ports.order = 'increasing'",
            "b.toml: traffic.forward.flows: 1 is not allowed: only with traffic.forward.source_ports.order "
            "pseudorandom or fixed",
        ),
        (
            'technology.name = "nat44"\n[traffic.forward]\nflows = 1',
            "b.toml: traffic.forward.flows: 1 is not allowed: only with technologies that have hosts on both sides, "
            "and no connections",
        ),
        (
            'technology.name = "lw4o6"\n[traffic.reverse]\nflows = 2',
            "b.toml: traffic.reverse.flows: 2 is not allowed: only with technologies that have hosts on both sides, "
            "and no connections",
        ),
        (SIIT + "[traffic]\nhoplimit = 3", "b.toml: traffic.hoplimit: unknown key: did you mean hop_limit?"),
        (SIIT + "[trafic]\n", "b.toml: trafic: unknown key: did you mean traffic?"),
        (MEASURE + "duration = 5", "b.toml: measure[0].duration: unknown key: did you mean duration_s?"),
        (MEASURE + 'duration_s = "5"', 'b.toml: measure[0].duration_s: "5" is not allowed: a number, above 0 to 86400'),
        (MEASURE + "duration_s = nan", "b.toml: measure[0].duration_s: nan is not allowed: a number, above 0 to 86400"),
        (
            MEASURE + 'maximum_fps = "all"',
            'b.toml: measure[0].maximum_fps: "all" is not allowed: "theoretical" or above 0 to 1000000000',
        ),
        (SIIT + "[traffic]\ndont_fragment = 1", "b.toml: traffic.dont_fragment: 1 is not allowed: true or false"),
        (
            SIIT + "[traffic]\nhop_limit = true",
            "b.toml: traffic.hop_limit: true is not allowed: a whole number, 2 to 255",
        ),
        (
            'technology.name = "sit"',
            'b.toml: technology.name: "sit" is not allowed: native, siit, nat44, nat64, nat66, map-e, map-t, '
            "map-e-ce, map-t-ce, lw4o6, lw4o6-b4, dslite or dslite-b4 (did you mean siit?)",
        ),
        ("[technology]\n", f"b.toml: technology.name: missing: {NAMES}"),
        ("", f"b.toml: technology: missing: a table with name = {NAMES}"),
        (SIIT + "[[measure]]\n", "b.toml: measure[0].procedure: missing: " + PROCEDURES),
        (SIIT + "[tester]\nport_driver = 5", "b.toml: tester.port_driver: 5 is not allowed: af_packet, af_xdp or auto"),
        ("tester = 5\n" + SIIT, "b.toml: tester: 5 is not allowed: a table"),
        (
            SIIT + "[traffic]\nmix = [[3, 2]]",
            "b.toml: traffic.mix[0]: [3, 2] is not allowed: [take, of], 0 <= take <= of <= 1000, of not 0",
        ),
        (
            SIIT + '[tester.left]\ngateway_ipv4 = "192.0.2.1"',
            "b.toml: tester.left.gateway_ipv4: 192.0.2.1 is not allowed: another address of 192.168.18.0/30 "
            "than 192.168.18.2",
        ),
    ],
)
def test_lines(text: str, line: str) -> None:
    assert fault(text) == line


NATIVE_ON_LINUX = 'technology = { name = "native", family = "ipv6" }\ndevice.driver = "linux"\n'
RATES = SIIT + '[[measure]]\nprocedure = "throughput"\nframe_sizes = [84]\n[[measure]]\n'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            SIIT + '[[measure]]\nprocedure = "latency"\nframe_sizes = [84, 512]',
            "measure[0].rate_fps: nothing is not allowed: a rate, or a measure with procedure = throughput, direction "
            "= bidirectional and frame sizes 84, 512 in this file",
        ),
        (
            RATES + 'procedure = "back_to_back"\nframe_sizes = [84, 512]',
            "measure[1].throughput_fps: nothing is not allowed: a rate, or a measure with procedure = throughput, "
            "direction = bidirectional and frame sizes 512 in this file",
        ),
        (
            RATES + 'procedure = "pdv"\nframe_sizes = [84]\ndirection = "forward"',
            "measure[1].rate_fps: nothing is not allowed: a rate, or a measure with procedure = throughput, direction "
            "= forward and frame sizes 84 in this file",
        ),
        (
            (RATES + 'procedure = "reset"\nframe_sizes = [84]').replace(SIIT, NATIVE_ON_LINUX),
            "measure[1].event: restart is not allowed: manual with driver = linux: the kernel's forwarding can't be "
            "restarted without the host",
        ),
        (
            RATES + 'procedure = "reset"\nframe_sizes = [84]\nevent = "manual"\nevent_at_s = 60',
            "measure[1].event_at_s: 60 is not allowed: less than duration_s, which is 60",
        ),
        (
            RATES + 'procedure = "reset"\nframe_sizes = [84]\nevent = "manual"',
            "measure[1].reset_of: nothing is not allowed: with event = manual process, operating_system, "
            "routing_processor, line_card or power",
        ),
        (
            RATES + 'procedure = "reset"\nframe_sizes = [84]\nreset_of = "power"',
            "measure[1].reset_of: power is not allowed: process with event = restart",
        ),
        (
            RATES + 'procedure = "latency"\nframe_sizes = [84]\ntags_from_s = 120',
            "measure[1].tags_from_s: 120 is not allowed: less than duration_s, which is 120",
        ),
        (
            RATES + 'procedure = "latency"\nframe_sizes = [84]\ntags = 100',
            "measure[1].tags: 100 is not allowed: a whole number, 500 to 10000000",
        ),
        (
            RATES + 'procedure = "latency"\nframe_sizes = [84]\nshares = [0.5, 0.5]',
            "measure[1].shares: [0.5, 0.5] is not allowed: each share once",
        ),
        (
            RATES + 'procedure = "latency"\nframe_sizes = [84]\nshares = [0.5]\nrate_fps = 3',
            "measure[1].shares: [0.5] is not allowed: shares of the throughput, without rate_fps",
        ),
        (
            RATES + 'procedure = "pdv"\nframe_sizes = [84]\nrate_fps = 0',
            "measure[1].rate_fps: 0 is not allowed: a number, above 0 to 1000000000",
        ),
        (
            RATES + 'procedure = "latncy"',
            f'measure[1].procedure: "latncy" is not allowed: {PROCEDURES} (did you mean latency?)',
        ),
        (
            RATES + 'procedure = "latency"\nframe_timeout_ms = 3\nframe_sizes = [84]',
            "measure[1].frame_timeout_ms: unknown key: did you mean timeout_s?",
        ),
        (
            RATES + 'procedure = "soak"\nduration_s = 30',
            "measure[1].interval_s: 60 is not allowed: at most duration_s, 30",
        ),
        (
            RATES + 'procedure = "soak"\nduration_s = 86400\ninterval_s = 1',
            "measure[1].interval_s: 1 is not allowed: at least 8.64, for at most 10000 intervals in 86400 s",
        ),
        (
            RATES + 'procedure = "soak"\nrate_fps = 0.01',
            "measure[1].interval_s: 60 is not allowed: at least 100, so that a frame is due in each",
        ),
        (
            RATES + 'procedure = "soak"\nrate_fps = 10\nshares = [0.5]',
            "measure[1].shares: [0.5] is not allowed: shares of the throughput, without rate_fps",
        ),
        (
            RATES + 'procedure = "system_recovery"\nframe_sizes = [84]\noverload_percent = 100',
            "measure[1].overload_percent: 100 is not allowed: a number, above 100 to 10000",
        ),
    ],
)
def test_lines_of_the_time_related_measures(text: str, line: str) -> None:
    assert fault(text) == f"b.toml: {line}"


def test_syntax_errors_name_the_line() -> None:
    assert fault("[technology]\nname = = 3\n").startswith("b.toml: not TOML: ")
    assert "line 2" in fault("[technology]\nname = = 3\n")


def test_well_known_prefix() -> None:
    """RFC 6052 §3.1: 64:ff9b::/96 must not stand for 198.18.0.0/15."""
    line = fault(SIIT + 'technology.prefix = "64:ff9b::/96"')
    assert line.startswith("b.toml: technology.prefix: 64:ff9b::/96 is not allowed: RFC 6052 §3.1")
    assert "2001:2:0:6464::/96" in line


def test_well_known_prefix_as_a_default_mapping_rule() -> None:
    """RFC 6052 §3.1 for MAP-T too (RFC 7599 §5.1): of the domain that has it."""
    rules = ('{ ipv6 = "2001:db8::/40", ipv4 = "192.0.2.0/24", ea_bits = 16, dmr = "2001:db8:ffff::/64" }',
             '{ ipv6 = "2001:db9::/40", ipv4 = "198.51.100.0/24", ea_bits = 16, dmr = "64:ff9b::/96" }')  # fmt: skip
    text = f'technology = {{ name = "map-t", domains = [{", ".join(rules)}] }}\ndevice.driver = "reference"\n'
    said = "technology.domains[1].dmr: 64:ff9b::/96 is not allowed: RFC 6052 §3.1 forbids the Well-Known Prefix for "
    assert fault(text).startswith(f"b.toml: {said}198.19.0.0/24")
    other = text + 'traffic.right.hosts = { prefix = "8.8.8.0/24" }\n'
    assert parse_bench(other, "b.toml").technology.name == "map-t"


@pytest.mark.parametrize("prefix", ["2001:db8::/33", "2001:db8::1/96", "2001:db8:0:0:ff00::/96", "198.18.0.0/16"])
def test_translation_prefixes(prefix: str) -> None:
    """RFC 6052 §2.2: six lengths, bits 64 to 71 zero."""
    assert "a IPv6" not in fault(SIIT + f'technology.prefix = "{prefix}"')
    assert "length 32, 40, 48, 56, 64 or 96" in fault(SIIT + f'technology.prefix = "{prefix}"')


def test_smallest_ipv6_frame() -> None:
    """R8219-5.1.1-2: 84 in place of 64."""
    line = fault(MEASURE + "frame_sizes = [84, 64]")
    assert line.startswith("b.toml: measure[0].frame_sizes[1]: 64 is not allowed: 84 to 9216")


def test_manual_needs_ports() -> None:
    assert fault(SIIT + '[device]\ndriver = "manual"\n').startswith("b.toml: tester.left.port: nothing is not allowed")


def test_the_labs_ports_are_no_interface_of_the_host() -> None:
    line = fault(SIIT + '[tester]\nright.allow = "eth0"\n')
    assert line == (
        "b.toml: tester.right.allow: eth0 is not allowed: nothing with driver = reference: xlatperf makes its ports"
    )


def test_hosts_must_not_reach_the_link() -> None:
    assert "traffic.right.hosts.prefix: 198.19.0.0/24 is not allowed: 256 network(s)" in fault(
        SIIT
        + '[tester.right]\nipv4 = "198.19.255.2/30"\ngateway_ipv4 = "198.19.255.1"\n'
        + "[traffic.right.hosts]\nnetworks = 256"
    )


def test_several_faults_are_several_lines() -> None:
    with pytest.raises(BenchError) as caught:
        parse_bench(SIIT + "[traffic]\nhop_limit = 0\ntraffic_class = 256\nx = 1", "b.toml")
    assert len(caught.value.lines) == 3


def test_unreadable_file(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="No such file"):
        load_bench(tmp_path / "none.toml")
    (tmp_path / "latin").write_bytes(b"title = '\xe9'")
    with pytest.raises(BenchError, match="not UTF-8"):
        load_bench(tmp_path / "latin")


_VALUES = st.sampled_from(
    ['"nat64"', "1", "-1", "0", "true", '""', '"x"', "[]", "[1]", "[[1]]", "{}", "1.5", "nan", "1979-05-27", '["x"]']
)
_PLACES = st.sampled_from(
    [
        "title",
        "tester",
        "tester.cores",
        "tester.left.ipv4",
        "tester.schedule.burst",
        "device",
        "device.driver",
        "traffic",
        "traffic.mix",
        "traffic.left",
        "traffic.left.hosts",
        "traffic.left.hosts.prefix",
        "traffic.left.background_hosts.prefix",
        "traffic.forward.source_ports",
        "technology.eam",
        "technology.prefix",
        "technology.ipv6_side",
        "technology.family",
        "technology.name",
        "traffic.connections",
        "traffic.connections.clients.first",
        "traffic.connections.server_ports.last",
        "technology.pool",
        "technology.pool.addresses",
        "measure",
        "traffic.frame_size_of",
        "nonsense",
    ]
)


@more
@settings(max_examples=by_length(300, 20000))
@given(_PLACES, _VALUES, st.sampled_from(["siit", "nat44", "nat66"]))
def test_whatever_is_written_it_is_a_bench_or_lines(place: str, value: str, technology: str) -> None:
    given = place in ("technology", "technology.name")
    text = f"{place} = {value}\n" + ("" if given else f'technology.name = "{technology}"\n')
    tomllib.loads(text)
    try:
        parse_bench(text, "b.toml")
    except BenchError as error:
        for line in error.lines:
            assert line.startswith("b.toml: ")
            assert "\n" not in line


def test_a_key_without_end() -> None:
    """So much of it is said as shows which it is."""
    shown = "x" * 77 + "..."
    said = fault(SIIT + f"[traffic]\n{'x' * 300_000} = 3")
    assert said.startswith(f"b.toml: traffic.{shown}: unknown key: allowed are ")
    said = fault(SIIT + f'[traffic]\n{"x" * 300_000} = "\\u0000"')
    assert said.startswith(f"b.toml: traffic.{shown}: a text with a zero byte, which no name")


def test_a_list_that_is_too_long() -> None:
    rule = {"ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "ea_bits": 16, "br": "2001:db8:ffff::1"}
    raw = {"technology": {"name": "map-e", "domains": [rule] * 4097}}
    with pytest.raises(BenchError) as failed:
        bench_of_tables(raw, "b.toml")
    assert str(failed.value) == "b.toml: technology.domains: 4,097 of them is not allowed: at most 4,096"
