"""The example bench files: the loader takes them, and they say what their comments say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from xlatperf.config.load import load_bench
from xlatperf.meaning.deviations import deviations
from xlatperf.procedures.shared_keys import TrafficMeasure

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(FOLDER.glob("*.toml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_loads(path: Path) -> None:
    bench = load_bench(path)
    assert bench.title
    assert bench.measure


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_names_itself(path: Path) -> None:
    """The commands in the comments are about this file."""
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"examples/([\w-]+)\.toml", text)
    assert set(re.findall(r"examples/([\w-]+)\.toml", text)) == {path.stem}


def test_short_trials_are_declared() -> None:
    """RFC 2544 §23, §24: what the demonstration does not keep to is in its list of deviations."""
    sections = {item.section for item in deviations(load_bench(FOLDER / "tayga-siit.toml"))}
    assert {"RFC 2544 §24", "RFC 2544 §23(d)", "RFC 2544 §23(e)", "RFC 2544 §23(b)"} <= sections


@pytest.mark.parametrize("name", ["siit", "464xlat-clat", "map-e", "map-t", "lw4o6", "dslite-b4"])
def test_a_real_measurement_keeps_to_the_waits(name: str) -> None:
    """RFC 2544 §23, §24; RFC 8219 §5.3 and §12."""
    bench = load_bench(FOLDER / f"manual-{name}-100g.toml")
    timed = [item for item in bench.measure if isinstance(item, TrafficMeasure)]
    assert len(timed) == len(bench.measure)
    assert all((item.duration_s, item.timeout_s, item.settle_s) == (60, 2, 5) for item in timed)
    assert bench.traffic.mix == ((1, 1), (9, 10), (5, 10), (1, 10))


def test_every_technology_has_one() -> None:
    assert {load_bench(path).technology.name for path in EXAMPLES} == {
        "native",
        "siit",
        "nat44",
        "nat64",
        "nat66",
        "map-e",
        "map-t",
        "map-e-ce",
        "map-t-ce",
        "lw4o6",
        "lw4o6-b4",
        "dslite",
        "dslite-b4",
    }
    assert {load_bench(path).device.driver for path in EXAMPLES} == {
        "464xlat",
        "in-a-row",
        "ip6tnl-aftr",
        "ip6tnl-br",
        "ip6tnl-ce",
        "jool-464xlat",
        "jool-nat64",
        "jool-siit",
        "linux",
        "manual",
        "nft-masquerade",
        "nft-nat44",
        "nft-nat66",
        "reference",
        "tayga",
        "tayga-map-t-br",
        "tayga-map-t-ce",
        "tayga-nat64",
        "tayga-siit-pair",
        "vpp",
    }
