"""Writes the table of docs/deviations.md from what the code can emit: python -m docs.deviations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docs.marked import Marked
from xlatperf.config.load import parse_bench
from xlatperf.meaning.deviations import deviations
from xlatperf.procedures.deviation import Deviation
from xlatperf.procedures.registry import PROCEDURES

PAGE = Marked(
    Path(__file__).with_name("deviations.md"),
    "<!-- The table is written by docs/deviations.py; change meaning/deviations.py or procedures/ instead. -->",
    "<!-- end of the table -->",
)

_STATELESS = tuple(
    one.named() for one in PROCEDURES if not one.facts.of_connections and one.facts.not_with_connections is None
)
_CONNECTED = ("establishment", "teardown", *_STATELESS)


def _measures(names: tuple[str, ...], keys: str = "") -> str:
    return "\n".join(f'[[measure]]\nprocedure = "{name}"\n{keys}' for name in names)


def _stateful() -> str:
    return _measures(_CONNECTED, "connections = [10000]") + "\n" + _measures(("capacity",))


DEFAULTS = (
    f'technology = {{ name = "native", family = "ipv4" }}\ndevice.driver = "linux"\n{_measures(_STATELESS)}',
    f'technology.name = "siit"\ndevice.driver = "tayga"\n{_measures(_STATELESS)}',
    f'technology.name = "nat44"\ndevice.driver = "nft-nat44"\n{_stateful()}',
    f'technology.name = "nat64"\ndevice.driver = "tayga-nat64"\n{_stateful()}',
)
"""Bench files that change nothing."""
CHANGED = (
    """
technology.name = "siit"
device.driver = "tayga"
tester.left.vlan = 100
traffic.right.hosts.prefix = "192.88.99.0/24"
traffic.hop_limit = 64
traffic.traffic_class = 184
traffic.udp_checksum = false
traffic.dont_fragment = false
traffic.reassemble = true
traffic.accept = ["hop_limit", "traffic_class", "dont_fragment", "identification", "flow_label"]
traffic.forward.source_ports.order = "fixed"
traffic.reverse.flows = 1000
[[measure]]
procedure = "throughput"
frame_sizes = [{ sizes = [88, 594, 1518], weights = [7, 4, 1], name = "IMIX" }]
duration_s = 10
search_duration_s = 2
timeout_s = 0.5
settle_s = 0.5
learning_wait_s = 0.5
repetitions = 1
frame_timeout_ms = 5
loss_tolerance = { forward = 0.001 }
[[measure]]
procedure = "throughput"
name = "goals"
search = "mlrsearch"
exceed_ratio = 0.5
[[measure]]
procedure = "frame_loss"
direction = "forward"
rates_fps = [1000, 500]
[[measure]]
procedure = "latency"
duration_s = 10
repetitions = 2
shares = [0.5]
[[measure]]
procedure = "pdv"
rate_fps = 1000
[[measure]]
procedure = "reset"
event_at_s = 5
[[measure]]
procedure = "reset"
event = "manual"
reset_of = "power"
power_off_s = 5
""",
    """
technology.name = "nat44"
device.driver = "nft-nat44"
[traffic.connections]
enumeration = "increasing"
read_order = "round_robin"
write_order = "pseudorandom"
[[measure]]
procedure = "establishment"
connections = [1000]
repetitions = 1
[[measure]]
procedure = "throughput"
connections = [1000]
establish_fps = 1000
phase_1_loss_tolerance = 0.0001
[[measure]]
procedure = "establishment"
connections = [2000]
loss_tolerance = { forward = 0.0001 }
""",
    """
technology.name = "map-e"
technology.tunnel.encapsulation_limit = 4
traffic.frame_size_of = "sender"
""",
)
"""Bench files that change all that leads to another deviation."""


def found() -> Iterator[tuple[Deviation, str]]:
    """Each deviation once, as the first of the examples has it, with when it appears."""
    first: dict[tuple[str, str], Deviation] = {}
    technologies: dict[tuple[str, str], dict[str, None]] = {}
    for text in (*DEFAULTS, *CHANGED):
        bench = parse_bench(text, "docs/deviations.py")
        for one in deviations(bench):
            first.setdefault((one.section, one.standard), one)
            if text in DEFAULTS:
                technologies.setdefault((one.section, one.standard), {})[bench.technology.name] = None
    for key, one in first.items():
        having = technologies.get(key)
        if having is None:
            yield one, "by the bench file"
        else:
            yield one, "always" if len(having) == len(DEFAULTS) else f"with {', '.join(having)}"


def table() -> str:
    """In Markdown."""
    rows = [f"| {one.section} | {one.standard} | {one.here} | {when} |" for one, when in found()]
    return "\n".join(["| Standard | What it says | What xlatperf does | When |", "|---|---|---|---|", *rows])


if __name__ == "__main__":
    PAGE.write(table())
