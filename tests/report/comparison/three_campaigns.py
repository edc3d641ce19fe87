"""Folders of simulated campaigns with rates of a test's own: a 464XLAT, its PLAT alone, its CLAT alone."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.report import changed, environments, frames_campaign
from xlatperf.procedures.quantity import LimitedBy
from xlatperf.report.comparison.campaign import Campaign, campaigns
from xlatperf.results.file import results_text
from xlatperf.results.frames import SideSizes
from xlatperf.results.results import Measurement, Results

DUAL = SideSizes(left=64, right=64)
PLAT = SideSizes(left=84, right=64)
CLAT = SideSizes(left=64, right=84)
SIIT = {"name": "siit", "ipv6_side": "right", "prefix": "2001:db8:6464::/96"}
NAT44 = {"name": "nat44", "pool": {"first": "198.19.0.1", "addresses": 1}}
BOTH = {**NAT44, "double_translation": True}
NAT64 = {"name": "nat64", "prefix": "2001:db8:6464::/96", "pool": {"first": "198.19.0.1", "addresses": 1}}
CORES = {"clat.cores": "0", "plat.cores": "0"}


def throughput(
    sizes: SideSizes,
    rates: tuple[float, ...],
    connections: int | None = None,
    limited_by: LimitedBy = "dut",
    **changes: Any,
) -> Measurement:
    """Both directions; `connections` None: through a stateless device."""
    space = None if connections is None else changed.space(connections)
    size: dict[str, Any] = {"frame_size": sizes, "frame_size_named": 64}
    return changed.frames(rates, limited_by=limited_by, **{**size, "connections": space, **changes})


def establishment(
    sizes: SideSizes, connections: int, rates: tuple[float, ...], limited_by: LimitedBy = "dut", **changes: Any
) -> Measurement:
    """Without validation unless `alpha` is given."""
    size: dict[str, Any] = {"frame_size": sizes, "frame_size_named": 64}
    return changed.rates(connections, rates, limited_by=limited_by, **size, **changes)


def results(
    driver: str, technology: dict[str, Any], measurements: Sequence[Measurement], **bench: dict[str, Any]
) -> Results:
    """A campaign with this device; `bench`: tables of the bench file."""
    document = {
        **copy.deepcopy(frames_campaign.bench()),
        "device": {"driver": driver},
        "technology": technology,
        "measure": [{"procedure": "throughput", "duration_s": 0.5, "timeout_s": 0.3, "repetitions": 2}],
        **bench,
    }
    return frames_campaign.results(
        title=f"what {driver} does",
        bench=document,
        technology=technology,
        measurements=tuple(measurements),
        trials=(),
        findings=(),
    )


def dual(
    rates: tuple[float, ...] = (40_000.0, 41_000.0),
    cpu: dict[str, float] | None = None,
    limited_by: LimitedBy = "dut",
    driver: str = "464xlat",
    **bench: dict[str, Any],
) -> Results:
    """CLAT and PLAT in a row."""
    used = {"clat": 0.4, "plat": 0.55} if cpu is None else cpu
    return results(
        driver,
        BOTH,
        [
            establishment(DUAL, 1000, (50_000.0, 50_500.0), "maximum", device_cpu=used),
            throughput(DUAL, rates, 1000, limited_by, device_cpu=used),
            throughput(DUAL, rates, 2000, limited_by, device_cpu=used),
        ],
        **bench,
    )


def plat(rates: tuple[float, ...] = (70_000.0, 71_000.0), **bench: dict[str, Any]) -> Results:
    """The PLAT alone."""
    return results(
        "tayga-nat64",
        NAT64,
        [
            establishment(PLAT, 1000, (60_000.0, 60_500.0), device_cpu={"tayga": 0.9}),
            throughput(PLAT, rates, 1000, device_cpu={"tayga": 0.95}),
            throughput(PLAT, rates, 2000, device_cpu={"tayga": 0.95}),
        ],
        **bench,
    )


def clat(
    rates: tuple[float, ...] = (100_000.0, 101_000.0), limited_by: LimitedBy = "dut", **bench: dict[str, Any]
) -> Results:
    """The CLAT alone: it has no connections."""
    measurement = throughput(CLAT, rates, None, limited_by, device_cpu={"tayga": 0.9})
    return results("tayga", SIIT, [measurement], **bench)


def folder(path: Path, found: Results, environment: dict[str, Any] | None = None) -> Path:
    """A campaign's folder, as far as a comparison reads it."""
    path.mkdir()
    (path / "results.json").write_text(results_text(found), encoding="utf-8")
    (path / "environment.json").write_text(json.dumps(environment or environments.ENVIRONMENT), encoding="utf-8")
    return path


def together(path: Path, cores: dict[str, str] | None = None, **found: Results) -> list[Campaign]:
    """Folders with these names, read. `cores`: facts of the dual DUT."""
    both = {**environments.ENVIRONMENT, "device": {**environments.ENVIRONMENT["device"], **(cores or {})}}
    return campaigns(
        [
            (folder(path / name, one, both if one.bench["device"]["driver"] in ("464xlat", "in-a-row") else None), one)
            for name, one in found.items()
        ]
    )
