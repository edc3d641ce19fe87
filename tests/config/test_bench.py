"""Defaults, templates, the key list and the engine's requests."""

from __future__ import annotations

import ipaddress
import re
import tomllib

import pytest

from xlatperf.config.describe import describe_keys
from xlatperf.config.errors import BenchError
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message, link, open_message
from xlatperf.config.template import template
from xlatperf.devices.linux import Linux
from xlatperf.devices.manual import Manual
from xlatperf.devices.veth_port import ring_sizes
from xlatperf.keys.port_name import parts
from xlatperf.procedures.back_to_back import BackToBack
from xlatperf.procedures.latency import Latency
from xlatperf.procedures.pdv import Pdv
from xlatperf.procedures.reset import Reset
from xlatperf.procedures.system_recovery import SystemRecovery
from xlatperf.procedures.throughput import Throughput
from xlatperf.technologies.registry import TEMPLATES

PROCEDURE_NAMES = (
    "throughput",
    "frame_loss",
    "latency",
    "pdv",
    "ipdv",
    "back_to_back",
    "system_recovery",
    "reset",
    "soak",
    "establishment",
    "teardown",
    "capacity",
)
TEMPLATE_MEASURES = PROCEDURE_NAMES[:2]
"""The others take hours: the template offers them as comments."""


def offered(text: str) -> list[str]:
    return [line.removeprefix("# procedure = ").strip('"') for line in text.splitlines() if "# procedure" in line]


@pytest.mark.parametrize("technology", ["nat44", "nat64", "nat66"])
def test_templates_of_stateful_technologies(technology: str) -> None:
    """RFC 9693 §4.2: the establishment rate is measured first."""
    text = template(technology)
    bench = parse_bench(text, "template")
    of = "connections = [10000]"
    bare = f"technology.name = '{technology}'\n" + "".join(
        f"[[measure]]\nprocedure = '{name}'\n{of}\n" for name in ("establishment", *TEMPLATE_MEASURES)
    )
    assert bench == parse_bench(bare, "bare")
    known = {measure.procedure for measure in bench.measure} | set(offered(text))
    assert known == set(PROCEDURE_NAMES) - {"reset"}
    assert "hosts]" not in text.replace("background_hosts]", "")
    assert max(len(line) for line in text.splitlines()) <= 120


@pytest.mark.parametrize("technology", ["siit", "native-ipv4", "native-ipv6"])
def test_templates_are_bench_files_of_all_defaults(technology: str) -> None:
    text = template(technology)
    bench = parse_bench(text, "template")
    bare = {
        "siit": 'technology.name = "siit"',
        "native-ipv4": 'technology.name = "native"',
        "native-ipv6": 'technology = { name = "native", family = "ipv6" }',
    }[technology]
    measures = "\nmeasure = [" + ", ".join(f"{{ procedure = '{name}' }}" for name in TEMPLATE_MEASURES) + "]"
    assert bench == parse_bench(bare + measures, "bare")
    assert (*TEMPLATE_MEASURES, *offered(text)) == PROCEDURE_NAMES[:9]
    assert "connections" not in text.replace("with connections", "").replace("not with", "")
    assert max(len(line) for line in text.splitlines()) <= 120


@pytest.mark.parametrize("technology", TEMPLATES)
def test_three_lines_make_a_template_ones_own(technology: str) -> None:
    """As its first lines and the README say."""
    text = template(technology)
    assert "port in [tester.left] and in [tester.right]" in text
    for side, address in (("left", "0000:01:00.0"), ("right", "0000:01:00.1")):
        before, own, after = text.partition(f"[tester.{side}]\n")
        text = before + own + after.replace("# port =", f'port = "{address}"', 1)
    own_text = re.sub('^driver = ".*"$', 'driver = "manual"', text, flags=re.MULTILINE)
    bench = parse_bench(own_text, "template")
    assert isinstance(bench.device, Manual)
    assert (bench.tester.left.port, bench.tester.right.port) == ("0000:01:00.0", "0000:01:00.1")
    named = re.findall(r"^# (\w+_command) =", text, re.MULTILINE)
    stateful = bench.technology.stateful
    assert ("clear_command" in named, "restart_command" in named) == (stateful, True)


def test_every_key_is_described() -> None:
    keys = describe_keys()
    assert all(key.description and key.allowed for key in keys)
    places = {key.place for key in keys}
    assert {
        "traffic.forward.source_ports.first",
        "measure[].duration_s",
        "technology.eam[].ipv6",
        "tester.left.port",
    } <= places
    durations = {key.when: key for key in keys if key.place == "measure[].duration_s"}
    assert set(durations) == {f"measure.procedure = {name}" for name in PROCEDURE_NAMES[:9]}
    assert durations["measure.procedure = throughput"].default == 60
    assert durations["measure.procedure = latency"].default == 120
    assert all(key.source for key in keys if key.place.startswith("measure[].") and key.place.endswith("_s"))


def test_defaults_of_the_standards() -> None:
    """R2544-23, R2544-24, R4814-4.5, R8219-5.3-1, R8219-5.1.1-1."""
    bench = parse_bench('technology.name = "siit"\nmeasure = [{ procedure = "throughput" }]', "b")
    measure = bench.measure[0]
    assert isinstance(measure, Throughput)
    assert (measure.duration_s, measure.timeout_s, measure.settle_s, measure.learning_wait_s) == (60, 2, 5, 2)
    assert (measure.loss_tolerance.forward, measure.direction, measure.frame_timeout_ms) == (0, "bidirectional", None)
    assert measure.frame_sizes == (84, 128, 256, 512, 768, 1024, 1280, 1518)
    assert bench.traffic.hop_limit == 10


def test_defaults_of_the_time_related_measures() -> None:
    """R8219-7.2-1, R8219-7.2-2, R8219-7.2-5, R8219-7.3.1-3, R8219-7.3.2-1, R9004-6.2, R2544-26.5, R6201-4,
    R6201-4.3.1, R8219-7.3.1-1."""
    names = ("latency", "pdv", "ipdv", "back_to_back", "system_recovery", "reset")
    measures = ", ".join(f'{{ procedure = "{name}" }}' for name in ("throughput", *names))
    bench = parse_bench(f'technology.name = "siit"\ndevice.driver = "tayga"\nmeasure = [{measures}]', "b")
    latency, pdv, ipdv, burst, recovery, reset = bench.measure[1:]
    assert isinstance(latency, Latency)
    assert (latency.duration_s, latency.first_tag_s, latency.tags, latency.repetitions) == (120, 60, 10_000, 20)
    assert (latency.shares, latency.rates_wanted) == ((1.0,), True)
    assert isinstance(pdv, Pdv)
    assert (pdv.duration_s, pdv.repetitions, ipdv.repetitions) == (60, 20, 20)
    assert isinstance(burst, BackToBack)
    assert (burst.duration_s, burst.timeout_s, burst.maximum_repeats, burst.repeat_up_to_frames) == (2, 2, 2, None)
    assert isinstance(recovery, SystemRecovery)
    assert (recovery.overload_percent, recovery.reduced_percent, recovery.duration_s) == (110, 50, 60)
    assert isinstance(reset, Reset)
    assert (reset.event, reset.event_at_s, reset.frame_sizes) == ("restart", 15, (84,))
    assert reset.power_off_s == 15


def test_address_plans() -> None:
    """R5180-5, R5180-5.2.1, R2544-C.2.2."""
    native6 = parse_bench('technology = { name = "native", family = "ipv6" }', "b")
    assert (native6.traffic.left.hosts.prefix, native6.traffic.right.hosts.prefix) == (
        "2001:2::/64",
        "2001:2:0:8000::/64",
    )
    siit = parse_bench('technology.name = "siit"', "b")
    assert (siit.traffic.left.hosts.prefix, siit.traffic.right.hosts.prefix) == ("198.18.0.0/24", "198.19.0.0/24")
    assert siit.traffic.right.background_hosts.prefix == "2001:2:0:9000::/64"
    gateways = (native6.tester.left.gateway_ipv6, native6.tester.right.gateway_ipv6)
    assert gateways == ("2001:2:0:7fff::1", "2001:2:0:ffff::1")


NATIVE6 = 'technology = { name = "native", family = "ipv6" }'


@pytest.mark.parametrize(
    ("prefix", "host", "allowed"),
    [
        ("2001:db8:8000::/48", 2, None),
        ("2001:2:0:8000::/64", 2, None),
        ("2001:2:0:8000::/126", 2, None),
        ("2001:2:0:8000::/126", 4, "1 to 3, as 2001:2:0:8000::/126 has 4 addresses"),
        ("2001:2:0:8000::/126", 0, "1 to 3, as 2001:2:0:8000::/126 has 4 addresses"),
        ("2001:2:0:8000::/127", 0, None),
        ("2001:2:0:8000::/127", 2, "0 to 1, as 2001:2:0:8000::/127 has 2 addresses"),
        ("2001:2:0:8000::/128", 0, None),
        ("2001:2:0:8000::/128", 2, "0, as 2001:2:0:8000::/128 has 1 address"),
    ],
)
def test_prefix_lengths(prefix: str, host: int, allowed: str | None) -> None:
    """R5180-5.2.1: destination prefixes of 64, 126, 128 bits."""
    text = f'{NATIVE6}\ntraffic.right.hosts = {{ prefix = "{prefix}", networks = 256, host = {host} }}'
    if allowed is None:
        assert parse_bench(text, "b").traffic.right.hosts.host == host
        return
    with pytest.raises(BenchError, match=re.escape(f"traffic.right.hosts.host: {host} is not allowed: {allowed}")):
        parse_bench(text, "b")


PRIVATE = ("10.0.0.0/8", "192.168.18.0/23")
"""Clients (RFC 9693 §3.1) and links, so that the hosts can have all networks (RFC 2544 §12)."""


@pytest.mark.parametrize("technology", TEMPLATES)
def test_defaults_are_for_benchmarks(technology: str) -> None:
    """R8219-5.2-1, R5180-5: every address of a new bench file, those of clients and links apart."""
    text = "\n".join(line for line in template(technology).splitlines() if not line.startswith("#"))
    allowed = [ipaddress.ip_network(one) for one in ("198.18.0.0/15", "2001:2::/48", *PRIVATE)]
    named = re.findall(r'"([0-9a-f:.]+(?:/[0-9]+)?)"', text)
    assert named
    for one in named:
        network = ipaddress.ip_network(one, strict=False)
        assert any(network.version == by.version and network.subnet_of(by) for by in allowed), one  # type: ignore[arg-type]


def test_configure_message() -> None:
    """R2544-12, R5180-5.2.2: As docs/protocol.md has it."""
    message = configure_message(parse_bench('technology.name = "siit"', "b"), (9, 10), traffic_class=0xB8)
    assert message["technology"] == {
        "name": "siit",
        "ipv6_side": "left",
        "prefix": "2001:2:0:6464::/96",
        "eam": [{"ipv4": "198.18.0.0/16", "ipv6": "2001:2::/112"}],
    }
    assert message["left"] == {
        "ipv4": {"address": "192.168.18.2", "gateway": "192.168.18.1"},
        "ipv6": {"address": "2001:2:0:7fff::2", "gateway": "2001:2:0:7fff::1"},
        "gateway_mac": None,
        "hosts": {"prefix": "198.18.0.0/24", "networks": 1, "host": 2, "hosts": 1},
        "background_hosts": {"prefix": "2001:2:0:1000::/64", "networks": 1, "host": 2, "hosts": 1},
    }
    assert message["traffic"]["foreground"] == {"take": 9, "of": 10}
    assert message["traffic"]["traffic_class"] == 0xB8
    assert message["traffic"]["forward"]["destination_ports"] == {"order": "pseudorandom", "first": 1, "last": 49151}


@pytest.mark.parametrize(("mtu", "slot"), [(1500, 2048), (1500, 0), (9000, 9152), (9000, 0)])
def test_buffers_take_what_a_slot_of_af_packet_holds(mtu: int, slot: int) -> None:
    """Whatever sizes are measured: DPDK opens no port whose slots hold more than the buffers."""
    port = f"net_af_packet0,iface=t0,{f'framesz={slot}' if slot else ring_sizes(mtu)}"
    bench = parse_bench('technology.name = "siit"\ndevice.driver = "tayga"\n', "b")
    message = open_message(bench, port, port.replace("0,iface=t0", "1,iface=t1"))
    length = slot or int(parts(port)[1]["framesz"])
    assert max(2048, message["largest_frame"] + 64) >= length - 32
    assert message["memory_mb"] == 256 or length > 2048, "as much as they take"


def test_open_message_and_links() -> None:
    bench = parse_bench('technology.name = "siit"', "b")
    assert open_message(bench, "a", "b")["right"] == {"port": "b"}
    left = link(bench.tester.left, ("ipv6",))
    assert (left.tester_ipv4, left.dut_ipv6) == (None, "2001:2:0:7fff::1/64")


def test_driver_options_are_kept() -> None:
    bench = parse_bench('technology.name = "siit"\n[device]\ndriver = "linux"\nkernel_cores = [0]\n', "b")
    assert isinstance(bench.device, Linux)
    assert bench.device.kernel_cores == (0,)
    assert bench.model_dump(mode="json")["device"] == {"driver": "linux", "kernel_cores": [0]}, "as the file has it"
    tomllib.loads(template("siit"))
