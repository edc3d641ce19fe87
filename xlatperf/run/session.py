"""Starts the DUT and the engine for a bench, and ends both whatever happens."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from xlatperf.config.bench import Bench
from xlatperf.config.request import ALL_FOREGROUND, configure_message, link, technology_message
from xlatperf.config.series import more_subscribers
from xlatperf.devices.device import Device, Link, Neighbor, Plan
from xlatperf.engine.client import Engine
from xlatperf.engine.messages import Describe, OpenAnswer
from xlatperf.keys.needs import Need
from xlatperf.run.engines import engine_for
from xlatperf.run.fence import Fences
from xlatperf.run.old_connections import OldConnections
from xlatperf.run.on_link import without_routes
from xlatperf.run.open_ports import open_ports
from xlatperf.run.port_driver import port_choice
from xlatperf.run.signals import undisturbed


class Session:
    """A prepared DUT and an engine with open ports. `device.diagnose()` works until the session ends.

    `fences`, `old`: what its trials at no load have shown of the DUT's delays, and which connections it may know.
    """

    def __init__(self, engine: Engine, device: Device, describe: Describe, opened: OpenAnswer) -> None:
        self.engine = engine
        self.device = device
        self.describe = describe
        self.opened = opened
        self.fences = Fences()
        self.old = OldConnections()


def needs_of(bench: Bench) -> frozenset[Need]:
    """What its driver must be able to do, for any of the measures or for `check`."""
    needs: set[Need] = {"clear"} if bench.technology.stateful else set()
    for measure in bench.measure:
        needs |= measure.needs
    return frozenset(needs)


def foreseen(bench: Bench) -> list[str]:
    """What the device will do otherwise than its technology's standard says, or can't hold; a line each.

    What can't be measured with it is refused before anything is made. Raises DeviceError, EngineError, EngineDied.
    """
    with contextlib.ExitStack() as tables:
        plan = _with_parts(_with_af_xdp(bench, describe_bench(bench)), bench, tables)
        bench.device.planned(plan)
        return bench.device.limits(plan)


def describe_bench(bench: Bench) -> Describe:
    """What the DUT must route, from a short-lived engine without ports. Raises EngineError, EngineDied."""
    with Engine() as engine:
        found = engine.configure(_configuration(bench, bench.traffic.richest_mix))
    left = without_routes(bench.tester.left, found.left)
    right = without_routes(bench.tester.right, found.right)
    return found.model_copy(update={"left": left, "right": right})


def _configuration(bench: Bench, mix: tuple[int, int]) -> dict[str, Any]:
    return configure_message(bench.widest, mix, subscribers=more_subscribers(bench.technology, bench.measure))


def write_softwires(bench: Bench, path: Path) -> None:
    """The DUT's binding table, with as many softwires as any measure needs. Raises EngineError, EngineDied."""
    with Engine() as engine:
        engine.configure(_configuration(bench, ALL_FOREGROUND))
        engine.softwires(path)


def port_remark(bench: Bench) -> str | None:
    """Why `tester.port_driver = "auto"` isn't af_xdp on this host; None if it is. Raises EngineError, EngineDied."""
    if bench.tester.port_driver != "auto":
        return None
    why_not = port_choice(bench, _with_af_xdp(bench, describe_bench(bench))).why_not
    return None if why_not is None else f"ports: af_packet, as af_xdp can't be used here: {why_not}"


def plan_for(bench: Bench, describe: Describe) -> Plan:
    """What the driver needs to know."""
    plan = _with_af_xdp(bench, describe)
    return replace(plan, port_driver=port_choice(bench, plan).driver)


def _with_af_xdp(bench: Bench, describe: Describe) -> Plan:
    return Plan(
        technology=technology_message(bench),
        describe=describe.model_dump(mode="json", by_alias=True),
        left=link(bench.tester.left, describe.left.families),
        right=link(bench.tester.right, describe.right.families),
        port_driver="af_xdp",
        tester_ports=bench.tester.ports,
        tester_allows=(bench.tester.left.allow, bench.tester.right.allow),
        tester_cores=bench.tester.cores,
        tester_queues=bench.tester.queues,
        tester_elsewhere=bench.tester.host is not None,
        one_port=bench.tester.one_port,
        needs=needs_of(bench),
        asked_fps=bench.asked_fps * (2 if bench.tester.one_port else 1),
        connections=bench.asked_connections,
    )


def _neighbor(mac: str, link: Link) -> Neighbor:
    """The Tester on that link."""
    ipv4, ipv6 = (
        None if address is None else address.split("/")[0] for address in (link.tester_ipv4, link.tester_ipv6)
    )
    return Neighbor(mac, ipv4, ipv6)


@contextlib.contextmanager
def _binding_table(bench: Bench) -> Iterator[Path | None]:
    """Its file, as long as the DUT is being prepared; None: there is none."""
    if bench.technology.binding_table is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="xlatperf-") as folder:
        path = Path(folder) / "softwires.csv"
        write_softwires(bench, path)
        yield path


def _with_parts(plan: Plan, bench: Bench, tables: contextlib.ExitStack) -> Plan:
    """With its binding table, and what each of two devices in a row has to be. Raises EngineError, EngineDied."""
    plan = replace(plan, softwires=tables.enter_context(_binding_table(bench)))
    return replace(plan, in_a_row=tuple(_plan_of(one.bench, plan, tables) for one in bench.alone.values()))


def _plan_of(bench: Bench, both: Plan, tables: contextlib.ExitStack) -> Plan:
    """Of one of two devices in a row, as if it were alone, with the ports of both. Raises EngineError, EngineDied."""
    return replace(
        _with_af_xdp(bench, describe_bench(bench)),
        port_driver=both.port_driver,
        asked_fps=both.asked_fps,
        softwires=tables.enter_context(_binding_table(bench)),
        say=both.say,
    )


@contextlib.contextmanager
def session(bench: Bench, say: Callable[[str], None] = lambda _: None) -> Iterator[Session]:
    """Prepares the DUT, starts the engine beside it, opens the ports; takes all down again at the end.

    `say` tells what takes long. Raises DeviceError, EngineError, EngineDied.
    """
    describe = describe_bench(bench)
    undo = contextlib.ExitStack()
    try:
        with contextlib.ExitStack() as tables:
            plan = _with_parts(replace(plan_for(bench, describe), say=say), bench, tables)
            making = bench.device.planned(plan)
            for line in bench.device.limits(plan):
                say(f"  {line}")
            device = making(undo)
        at = device.attachment
        if bench.tester.host is not None:
            say(f"  connecting to {bench.tester.host}")
        engine = engine_for(bench, at)
        undo.callback(engine.close)
        opened = open_ports(engine, bench, at, device.wait_until_ready)
        engine.configure(configure_message(bench, bench.traffic.richest_mix))
        device.set_neighbors(_neighbor(opened.left.mac, plan.left), _neighbor(opened.right.mac, plan.right))
        yield Session(engine, device, describe, opened)
    finally:
        with undisturbed():
            undo.close()
