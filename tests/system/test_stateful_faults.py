"""The reference device with state does wrong what it is told to: each fault counts in its own counter.

RFC 9693 §4 counts frames; that each is also the right one is for the Tester to see. The device counts for itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.system.stateful_gateway import CES, EDGES, POOLS, Seen, StatefulGateway, stateful_gateway
from tests.system.stateful_messages import counts
from tests.system.trials import intervals_add_up
from xlatperf.engine.errors import EngineError

COUNT = 2000
RATE_FPS = 10_000.0
STEADY_FPS = 4000.0
SENT = 1000  # of a steady trial in each direction
EVERY = 97
HIT = SENT // EVERY
TECHNOLOGIES = ("nat44", "nat64", "nat66", "dslite", *EDGES)
SERVERS = {
    "nat44": "198.19.0.2",
    "nat64": "198.19.0.2",
    "nat66": "2001:2:0:8000::2",
    "map-e-ce": "198.19.0.2",
    "lw4o6-b4": "198.19.0.2",
    "dslite": "198.19.0.2",
    "map-t-ce": "2001:2:0:c000:c6:1300:200:0",
}
PORTS_OF_CE = "PSID 20 (5 bits), ports 1664-1695 2688-2719 ... 65152-65183"
CLIENTS = {
    "nat44": POOLS["nat44"] + ", ports 1024 to 65535",
    "nat64": POOLS["nat64"] + ", ports 1024 to 65535",
    "nat66": POOLS["nat66"] + ", ports 1024 to 65535",
    "dslite": POOLS["dslite"] + ", ports 1024 to 65535",
    **{name: f"{address}, {PORTS_OF_CE}" for name, address in CES.items()},
    "lw4o6-b4": "198.18.0.18, PSID 20 (5 bits), ports 40960-43007",
}
"""On the right."""
ONE_PORT_EACH = "client_ports = { first = 1024, last = 3023 }"
"""For 2000 connections of the 2016 that a CE can have with one server port."""


@pytest.fixture(scope="module", params=TECHNOLOGIES)
def device(request: pytest.FixtureRequest) -> Iterator[StatefulGateway]:
    if request.param in EDGES:  # which else drops what is outside of its pool itself
        with stateful_gateway(request.param, "checks = { source_address = false }", ONE_PORT_EACH) as made:
            yield made
    else:
        with stateful_gateway(request.param) as made:
            yield made


def establish(device: StatefulGateway, **order: Any) -> Seen:
    """Phase 1; `order`: what the device does wrong meanwhile."""
    device.impair(forward=order)
    seen = device.trial("establish", COUNT, RATE_FPS)
    device.impair()
    return seen


def steady(device: StatefulGateway, *directions: str) -> Seen:
    seen = device.trial("steady", COUNT, STEADY_FPS, directions=list(directions), interval_s=0.05)
    for name in directions:
        assert len(seen.answer[name]["intervals"]) == 5
        intervals_add_up(seen.answer[name])
    return seen


def works(device: StatefulGateway) -> None:
    """All connections are as the Responder knows them."""
    answer = steady(device, "forward", "reverse").answer
    for direction in ("forward", "reverse"):
        assert counts(answer, direction) == {"sent": SENT, "expected": SENT}


def example(seen: Seen, reason: str) -> str:
    return str(next(sample["text"] for sample in seen.answer["samples"] if sample["reason"] == reason))


@dataclass(frozen=True)
class Fault:
    """What is ordered, and where the Tester counts it, by direction."""

    order: str
    forward: str
    reverse: str
    what: str | None = None


def faults(technology: str) -> list[Fault]:
    """The client's address is the DUT's to choose, so a wrong source counts as one outside the pool, forward."""
    sides = {
        "nat44": ("ipv4", "ipv4"),
        "nat64": ("ipv4", "ipv6"),
        "nat66": ("ipv6", "ipv6"),
        "map-e-ce": ("ipv4", "ipv4"),
        "lw4o6-b4": ("ipv4", "ipv4"),
        "dslite": ("ipv4", "ipv4"),
        "map-t-ce": ("ipv6", "ipv4"),
    }[technology]
    plain = ("payload", "udp_checksum", "traffic_class", "hop_limit")
    found = [
        Fault("drop", "lost", "lost"),
        Fault("corrupt", "wrong_address", "wrong_address", "address"),
        Fault("corrupt", "outside_pool", "wrong_address", "source_address"),
        Fault("corrupt", "wrong_port", "wrong_port", "port"),
        *(Fault("corrupt", name, name, name) for name in plain),
        Fault("duplicate", "duplicate", "duplicate"),
        Fault("reorder", "overtaken", "overtaken"),
    ]
    if technology in ("nat64", "dslite") or technology in EDGES:
        found.append(Fault("untranslated", "untranslated", "untranslated"))
    else:  # the frame of a router in place of the DUT
        found.append(Fault("untranslated", "outside_pool", "wrong_address"))
    for direction, family in zip(("forward", "reverse"), sides, strict=True):
        if family == "ipv4":
            other = {"forward": "", "reverse": "", direction: "ip_checksum"}
            found.append(Fault("corrupt", other["forward"], other["reverse"], "ip_checksum"))
    for what, counter in (
        ("outer_address", "wrong_address"),
        ("outer_source_address", "wrong_address"),
        ("outer_traffic_class", "traffic_class"),
        ("outer_hop_limit", "hop_limit"),
    ):
        if technology in ("map-e-ce", "lw4o6-b4"):
            found.append(Fault("corrupt", counter, "", what))
        elif technology == "dslite":
            found.append(Fault("corrupt", "", counter, what))
    return found


def test_each_fault_of_a_frame_in_its_own_counter(device: StatefulGateway) -> None:
    """Each kind hits its own number of frames in both directions at once; the sums per counter are exact."""
    orders: dict[str, dict[str, Any]] = {"forward": {}, "reverse": {}}
    wanted: dict[str, dict[str, int]] = {"forward": {}, "reverse": {}}
    expected = {"forward": SENT, "reverse": SENT}
    for number, fault in enumerate(faults(device.technology)):
        # 15 apart, so that a frame that is held back passes no other one that is wrong
        positions = [15 * (number + 1) + 300 * time for time in range(1 + number % 3)]
        for direction, ordered in orders.items():
            counter = str(getattr(fault, direction))
            if not counter:
                continue
            select: dict[str, Any] = {"positions": positions}
            if fault.what is not None:
                ordered.setdefault("corrupt", []).append({"what": fault.what, **select})
            else:
                ordered[fault.order] = {**select, **({"by": 3} if fault.order == "reorder" else {})}
            wanted[direction][counter] = wanted[direction].get(counter, 0) + len(positions)
            if fault.order not in ("duplicate", "reorder"):
                expected[direction] -= len(positions)
    establish(device)
    device.impair(**orders)
    seen = steady(device, "forward", "reverse")
    device.impair()
    for direction in orders:
        done = seen.device[direction]["impairments"]
        assert done["not_applicable"] == 0
        for of_device, of_tester in (("duplicated", "duplicate"), ("reordered", "overtaken"), ("dropped", "lost")):
            assert done[of_device] == wanted[direction][of_tester]
        found = counts(seen.answer, direction)
        assert found == {"sent": SENT, "expected": expected[direction], **wanted[direction]}, direction


def test_sources_that_change_and_sources_outside_the_pool(device: StatefulGateway) -> None:
    """R9693-4.7-1: the Responder takes another mapping over, so each counts once; not one that isn't in the pool."""
    establish(device)
    outside = [2, 3, 500]
    device.impair(forward={"change_mapping": {"every": EVERY}, "outside_pool": {"positions": outside}})
    seen = steady(device, "forward")
    device.impair()
    done = seen.device["forward"]["impairments"]
    assert (done["changed_mapping"], done["outside_pool"], done["not_applicable"]) == (HIT, len(outside), 0)
    wrong = {"mapping_changed": HIT, "outside_pool": len(outside)}
    assert counts(seen.answer, "forward") == {"sent": SENT, "expected": SENT - sum(wrong.values()), **wrong}
    changed, pool = example(seen, "mapping_changed"), (POOLS | EDGES)[device.technology]
    assert changed.startswith(f"source {pool} port ")
    assert changed.endswith(" had another one before")
    assert example(seen, "outside_pool").endswith(f", expected {CLIENTS[device.technology]}")
    works(device)


def test_two_connections_with_one_mapping(device: StatefulGateway) -> None:
    """RFC 6146 §3.5.1.1: phase 1 looks complete; the mappings say it, and so does the validation."""
    seen = establish(device, share_mapping={"every": EVERY})
    shared = seen.device["forward"]["impairments"]["shared_mapping"]
    assert shared == COUNT // EVERY
    assert counts(seen.answer, "forward") == {"sent": COUNT, "expected": COUNT}
    mappings = device.engine.mappings(COUNT)
    assert (mappings.learnt, mappings.compared, mappings.shared) == (COUNT, COUNT, 2 * shared)
    sample = device.engine.ask({"request": "mappings", "one_in": 3}, 10)
    assert 0 < sample["shared"] < 2 * shared
    assert sample["shared"] % 2 == 0, "of two that share both are compared, or neither"
    assert sample["compared"] < COUNT / 2
    pool, server = (POOLS | EDGES)[device.technology], SERVERS[device.technology]
    for text in mappings.examples:
        assert text.startswith("connections ")
        assert f" share {pool} port " in text
        assert text.endswith(f" towards {server} port 1")
    # the reply to one of two goes to the other
    once = device.trial("each_once", COUNT, RATE_FPS)
    assert counts(once.answer, "reverse") == {"sent": COUNT, "expected": COUNT - shared, "wrong_port": shared}


def test_connections_that_phase_1_did_not_open(device: StatefulGateway) -> None:
    """R9693-4.2-1: lost, or with a source that isn't in the pool. Phase 2 can't use them and is refused in one line."""
    outside = [2, 3, 500]
    seen = establish(device, drop={"every": EVERY}, outside_pool={"positions": outside})
    done = seen.device["forward"]["impairments"]
    lost = COUNT // EVERY
    assert (done["dropped"], done["outside_pool"]) == (lost, len(outside))
    learnt = COUNT - lost - len(outside)
    wanted = {"sent": COUNT, "expected": learnt, "lost": lost, "outside_pool": len(outside)}
    assert counts(seen.answer, "forward") == wanted
    assert seen.answer["connections"]["learnt"] == learnt
    for phase in ("each_once", "steady"):
        with pytest.raises(EngineError) as refused:
            device.trial(phase, COUNT, RATE_FPS)
        assert str(refused.value) == (
            f"trial.connections.count: {COUNT} is not allowed: phase establish opened {learnt} of {COUNT} connections"
        )
    mappings = device.engine.mappings(COUNT)
    assert (mappings.count, mappings.learnt, mappings.shared) == (COUNT, learnt, 0)
