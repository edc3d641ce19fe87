"""VPP prepared for the example of each technology that it does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from xlatperf.config.load import parse_bench
from xlatperf.devices.device import Device, Link, Neighbor, Plan
from xlatperf.devices.vpp.driver import Vpp
from xlatperf.run.session import describe_bench, plan_for, write_softwires

BENCHES = {
    "native": 'technology = { name = "native", family = "ipv6" }',
    "map-e": 'technology = { name = "map-e", role = "br" }',
    "map-t": 'technology = { name = "map-t", role = "br" }',
    "lw4o6": 'technology = { name = "lw4o6", softwires.count = 3 }',
    "dslite": 'technology = { name = "dslite" }',
    "nat44-ed": 'technology = { name = "nat44", pool.addresses = 4 }',
    "nat44-ei": 'technology = { name = "nat44" }\ndevice.nat44 = "ei"',
    "nat64": 'technology = { name = "nat64" }',
}


def plan_of(text: str, tmp: Path, **changes: Any) -> tuple[Vpp, Plan]:
    """Its driver and what it has to be; with a binding table, if it needs one."""
    bench = parse_bench(f'device.driver = "vpp"\n{text}\n', "b")
    assert isinstance(bench.device, Vpp)
    plan = replace(plan_for(bench, describe_bench(bench)), **changes)
    if bench.technology.binding_table is not None:
        table = tmp / "softwires.csv"
        write_softwires(bench, table)
        plan = replace(plan, softwires=table)
    return bench.device, plan


@contextmanager
def prepared(text: str, tmp: Path, **changes: Any) -> Iterator[Device]:
    """With the Tester as its neighbour."""
    driver, plan = plan_of(text, tmp, **changes)
    with ExitStack() as undo:
        device = driver.prepare(plan, undo)
        device.set_neighbors(_tester(plan.left, "a0"), _tester(plan.right, "a1"))
        yield device


def _tester(link: Link, ending: str) -> Neighbor:
    ipv4, ipv6 = (None if one is None else one.partition("/")[0] for one in (link.tester_ipv4, link.tester_ipv6))
    return Neighbor(f"02:00:00:00:00:{ending}", ipv4, ipv6)
