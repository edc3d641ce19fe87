"""Two ports joined to each other: where the Tester is measured without a DUT."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from xlatperf.config.bench import Bench
from xlatperf.devices.device import Attachment
from xlatperf.engine.trial_answer import JoinedOver
from xlatperf.run.session import describe_bench, plan_for


@dataclass(frozen=True)
class Joined:
    """`over`: the ports that the DUT is measured through, or two in memory that have neither driver nor wire."""

    over: JoinedOver
    at: Attachment


def memory(bench: Bench) -> Joined:
    """Two ports of rings; with one port, one that gets back what it sends."""
    return Joined("memory", Attachment("net_ring0", "net_ring0" if bench.tester.one_port else "net_ring1"))


@contextlib.contextmanager
def joined_ports(bench: Bench) -> Iterator[Joined | None]:
    """The bench's ports as long as the context lasts; None where its driver can't join them.

    Raises DeviceError, EngineError, EngineDied.
    """
    one_port = bench.tester.one_port  # nobody sends it back what it sends
    cable = None if one_port else bench.device.cable(plan_for(bench, describe_bench(bench)))
    if cable is None:
        yield None
        return
    with cable as attachment:
        yield Joined("ports", attachment)


@contextlib.contextmanager
def cabled_ports(bench: Bench) -> Iterator[Joined]:
    """The user's own ports, with a cable in the DUT's place. Raises DeviceError, EngineError, EngineDied."""
    with contextlib.ExitStack() as undo:
        yield Joined("ports", bench.device.prepare(plan_for(bench, describe_bench(bench)), undo).attachment)


@contextlib.contextmanager
def nearest_to_use(bench: Bench) -> Iterator[Joined]:
    """The bench's ports where its driver can join them, else ports in memory."""
    with joined_ports(bench) as ports:
        yield memory(bench) if ports is None else ports
