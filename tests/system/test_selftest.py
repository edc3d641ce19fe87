"""The Tester measured on the ports in use, joined to each other without a DUT."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.long import more, only_long
from tests.retries import attempts
from tests.system.command import xlatperf
from tests.system.requirements import needs_root
from tests.system.test_papers import inline
from tests.system.trials import RELAXED
from xlatperf.config.load import parse_bench
from xlatperf.lab.cable import veth_cable
from xlatperf.lab.tester_side import TESTER_PORTS
from xlatperf.run.selftest import selftest
from xlatperf.technologies import registry

KERNEL = 'technology = {{ name = "native", family = "ipv6" }}\ndevice.driver = "linux"\ntester.port_driver = "{}"'
ATTEMPTS = 3
EASY_FPS = 20_000.0
RELAXED_TESTER = tomllib.loads(RELAXED)
STATEFUL = 'technology.name = "nat44"\ndevice.driver = "reference"'


def measured(folder: Path, text: str, *options: str) -> list[dict[str, object]]:
    (folder / "bench.toml").write_text(f"{text}\n")
    ended = xlatperf("selftest", "bench.toml", "--json", "--duration", "0.05", *options, folder=folder)
    assert ended.code == 0, ended.output
    entries: list[dict[str, object]] = json.loads(ended.output[ended.output.index("[\n") :])
    return entries


@pytest.mark.parametrize(
    ("text", "driver"),
    [
        pytest.param(KERNEL.format("af_packet"), "net_af_packet", marks=needs_root),
        (STATEFUL, "net_memif"),
    ],
)
def test_the_ports_in_use_and_memory(tmp_path: Path, text: str, driver: str) -> None:
    """The ports' own limit is there; the kernel's is far lower than that of generation and verification alone.

    Over af_xdp, and in a campaign: test_the_demonstration in test_examples.py.
    """
    for _ in attempts(ATTEMPTS):
        if ports_and_memory(measured(tmp_path, text), driver):
            return
    pytest.fail(f"in each of {ATTEMPTS} self-tests the kernel's ports were faster than memory")


def ports_and_memory(entries: list[dict[str, object]], driver: str) -> bool:
    """Whether memory is faster, as far as that can be told: what holds up one of the two only slows it down."""
    ports, memory = entries
    assert (ports["over"], ports["driver"]) == ("ports", driver)
    assert (memory["over"], memory["driver"]) == ("memory", "net_ring")
    assert isinstance(ports["limit_fps"], float)
    assert isinstance(memory["limit_fps"], float)
    assert ports["limit_fps"] > 0
    assert memory["limit_fps"] > 0
    return driver == "net_memif" or ports["limit_fps"] < memory["limit_fps"]  # memif is memory too


ALWAYS = ("siit", "nat44", "map-e", "map-t-ce", "lw4o6")


@pytest.mark.parametrize(
    "technology", [pytest.param(name, marks=[] if name in ALWAYS else [more, only_long]) for name in registry.TEMPLATES]
)
def test_every_technology_comes_through_a_cable(technology: str) -> None:
    """R8219-12-1: nobody translates there, so what comes is right as it was sent; in two runs, to an easy rate."""
    start = registry.TEMPLATES[technology]
    measure: dict[str, object] = {"procedure": "throughput", "frame_sizes": [128], "duration_s": 1.0}
    if registry.BY_NAME[start["technology"]["name"]].stateful:
        measure |= {"connections": [100], "establish_fps": 1000.0}
    text = "".join(
        f"{name} = {inline(value)}\n" for name, value in {**start, "measure": [measure], **RELAXED_TESTER}.items()
    )
    bench = parse_bench(text, "b.toml")
    for _ in attempts(ATTEMPTS):
        entries = selftest(bench, duration_s=0.05, enough_fps=EASY_FPS, runs=2)
        if all(run.limit_fps for entry in entries for run in entry.runs):
            break
    assert [entry.over for entry in entries] == ["ports", "memory"]
    for entry in entries:
        assert len(entry.runs) == 2
        assert all(0 < run.limit_fps <= EASY_FPS for run in entry.runs), entry.reason
        found = entry.summary()
        assert found is not None
        assert entry.limit_fps == found.maximum


@needs_root
def test_cable(tmp_path: Path) -> None:
    """The user's own ports, here with a veth pair for a cable: they're measured, and the result is kept."""
    with veth_cable(1500) as namespace:
        left, right = (TESTER_PORTS[side] for side in ("left", "right"))
        text = (
            f'technology.name = "siit"\ndevice = {{ driver = "manual", namespace = "{namespace.name}" }}\n'
            f'tester.left.port = "net_af_packet0,iface={left}"\ntester.right.port = "net_af_packet1,iface={right}"'
        )
        ports, memory = measured(tmp_path, text, "--cable")
    assert (ports["over"], memory["over"]) == ("ports", "memory")
    kept = json.loads((tmp_path / "bench.selftest.json").read_text())
    assert kept["entries"] == [ports]
    assert kept["bench"]["device.namespace"] == namespace.name
