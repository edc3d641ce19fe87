"""Connections of all stateful technologies over two rings: nobody translates, the Tester plays the DUT."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.engine_system.engine_process import engine as bare_engine
from tests.engine_system.messages import open_loopback
from tests.system.stateful_messages import POOL_IPV4, POOL_IPV6, configuration, counts, trial, valid
from xlatperf.engine.client import Engine
from xlatperf.engine.errors import EngineError

COUNT = 5000
RATE_FPS = 50_000
TECHNOLOGIES = ("nat44", "nat64", "nat66")


@contextlib.contextmanager
def opened(technology: str, **changes: Any) -> Iterator[Engine]:
    with Engine() as engine:
        engine.configure(configuration(technology, loopback=True, **changes))
        ports = {"left": {"port": "net_ring0"}, "right": {"port": "net_ring1"}}
        engine.open({"request": "open", "cores": [1], "hugepages": "never", "link_timeout_s": 0, **ports})
        yield engine


def all_expected(answer: dict[str, Any], **frames: int) -> None:
    assert {name for name in ("forward", "reverse") if name in answer} == set(frames)
    for direction, sent in frames.items():
        assert counts(answer, direction) == {"sent": sent, "expected": sent}
        assert answer[direction]["lost_ranges"] == []


@pytest.mark.parametrize("technology", TECHNOLOGIES)
def test_all_phases(technology: str) -> None:
    """R9693-4.2-1, R9693-4.5, R9693-4.6-1, R9693-4.7-1: all phases, steady ones both ways and each way alone."""
    pool = POOL_IPV6 if technology == "nat66" else POOL_IPV4
    with opened(technology) as engine:
        answer = valid(engine, trial(technology, "establish", COUNT, RATE_FPS))
        all_expected(answer, forward=COUNT)
        assert answer["connections"] == {
            "count": COUNT,
            "phase": "establish",
            "learnt": COUNT,
            "server_ports": [1, 1],
            "bytes_per_connection": 20 if technology == "nat66" else 8,
        }

        mappings = engine.mappings(COUNT)
        assert (mappings.count, mappings.learnt, mappings.shared) == (COUNT, COUNT, 0)
        assert mappings.addresses == ((pool, COUNT),)
        assert (mappings.other_addresses, mappings.examples) == (0, ())
        assert mappings.ports_kept == COUNT, "the client's own port"
        assert 1024 <= (mappings.lowest_port or 0) < 1200
        assert 65300 < (mappings.highest_port or 0) <= 65535

        answer = valid(engine, trial(technology, "each_once", COUNT, RATE_FPS))
        all_expected(answer, reverse=COUNT)
        assert answer["connections"]["phase"] == "each_once"

        steady = trial(technology, "steady", COUNT, RATE_FPS)
        frames = RATE_FPS // 4
        all_expected(valid(engine, steady), forward=frames, reverse=frames)
        all_expected(valid(engine, {**steady, "directions": ["forward"]}), forward=frames)
        answer = valid(engine, {**steady, "directions": ["reverse"]})
        all_expected(answer, reverse=frames)
        assert answer["connections"]["learnt"] == COUNT


@pytest.mark.parametrize(
    ("enumeration", "read", "write"),
    [
        ("pseudorandom", "pseudorandom", "round_robin"),
        ("increasing", "round_robin", "pseudorandom"),
        ("decreasing", "pseudorandom", "pseudorandom"),
    ],
)
def test_several_addresses_and_all_orders(enumeration: str, read: str, write: str) -> None:
    """R9693-3.2, R9693-4.4-3, R9693-4.10: all four tuples of the space, in any order; three server ports are needed."""
    orders = {"enumeration": enumeration, "read_order": read, "write_order": write}
    ports = {"client_ports": {"first": 60000, "last": 60099}, "server_ports": {"first": 7, "last": 9}}
    with opened("nat64", clients=3, servers=2, **orders, **ports) as engine:
        for count, last in ((600, 7), (601, 8), (1800, 9)):
            answer = valid(engine, trial("nat64", "establish", count, RATE_FPS))
            all_expected(answer, forward=count)
            assert answer["connections"]["server_ports"] == [7, last]
            all_expected(valid(engine, trial("nat64", "each_once", count, RATE_FPS)), reverse=count)
            steady = trial("nat64", "steady", count, RATE_FPS)
            all_expected(valid(engine, steady), forward=RATE_FPS // 4, reverse=RATE_FPS // 4)
        with pytest.raises(EngineError, match=r"trial\.connections\.count: 1801 is not allowed: 1 to 1800, the four"):
            engine.trial(trial("nat64", "establish", 1801, RATE_FPS))


def test_the_phases_after_phase_1_keep_its_draw() -> None:
    """R9693-4.4-2: what was drawn is known in the validation and in phase 2; some of it may be asked for."""
    with opened("nat44") as engine:
        for draw in (0, 1, 2**31 - 1):
            drawn = {"count": 1000, "phase": "establish", "draw": draw}
            all_expected(valid(engine, trial("nat44", "establish", 1000, RATE_FPS, connections=drawn)), forward=1000)
            all_expected(valid(engine, trial("nat44", "each_once", 1000, RATE_FPS)), reverse=1000)
            frames = RATE_FPS // 4
            all_expected(valid(engine, trial("nat44", "steady", 1000, RATE_FPS)), forward=frames, reverse=frames)
            some = {"count": 1000, "phase": "each_once", "some": 10}
            all_expected(valid(engine, trial("nat44", "each_once", 1000, RATE_FPS, connections=some)), reverse=10)


@pytest.mark.parametrize("read_order", ["pseudorandom", "round_robin"])
def test_background(read_order: str) -> None:
    """R8219-5.3-3: native IPv6 beside connections, in phase 2 only."""
    with opened("nat64", foreground={"take": 1, "of": 2}, read_order=read_order) as engine:
        answer = valid(engine, trial("nat64", "establish", 1000, RATE_FPS))
        all_expected(answer, forward=1000)
        assert "background" not in answer["forward"]
        answer = valid(engine, trial("nat64", "steady", 1000, RATE_FPS))
        frames = RATE_FPS // 8
        all_expected(answer, forward=frames, reverse=frames)
        for direction in ("forward", "reverse"):
            background = answer[direction]["background"]
            assert (background["sent"], background["expected"]) == (frames, frames)


def test_what_is_refused() -> None:
    """R9693-4.2-1: phase 1 comes first, with the same number of connections."""
    with opened("nat44") as engine:

        def refused(message: dict[str, Any]) -> str:
            with pytest.raises(EngineError) as found:
                engine.ask(message, 5)
            return str(found.value)

        for phase in ("steady", "each_once"):
            assert refused(trial("nat44", phase, 100, RATE_FPS)) == (
                "trial.connections.phase: not allowed yet: phase establish comes first"
            )
        for changed, said in (
            ({"phase": "steady", "some": 5}, "5 is not allowed: none but with phase each_once"),
            ({"phase": "each_once", "some": 101}, "101 is not allowed: at most count, 100"),
        ):
            asked = {"count": 100, **changed}
            message = trial("nat44", str(changed["phase"]), 100, RATE_FPS, connections=asked)
            assert refused(message) == f"trial.connections.some: {said}"
        assert refused({"request": "mappings"}).startswith("request: there are no connections")
        assert refused(trial("nat44", "establish", 100, RATE_FPS, directions=["forward", "reverse"])) == (
            'trial.directions: not allowed: ["forward"] alone with connections.phase establish'
        )
        assert refused(trial("nat44", "establish", 100, RATE_FPS, connections=None, duration_s=1)) == (
            "trial.connections: missing: the technology is stateful"
        )
        show = {"request": "show", "frame_size": 64, "frame_size_of": "ipv4"}
        assert refused({**show, "connections": {"count": 4_000_000_000, "phase": "steady"}}).startswith(
            "show.connections.count: 4000000000 is not allowed: 1 to 3170829312, the four tuples"
        )

        valid(engine, trial("nat44", "establish", 100, RATE_FPS))
        assert refused(trial("nat44", "each_once", 100, RATE_FPS, directions=["forward"])) == (
            'trial.directions: not allowed: ["reverse"] alone with connections.phase each_once'
        )
        for phase in ("steady", "each_once"):
            assert refused(trial("nat44", phase, 101, RATE_FPS)) == (
                "trial.connections.count: 101 is not allowed: phase establish opened 100 of 100 connections"
            )
        engine.configure(configuration("nat44", loopback=True))
        assert "phase establish comes first" in refused(trial("nat44", "steady", 100, RATE_FPS))
        siit = {"name": "siit", "prefix": "2001:db8:6464::/96"}
        hosts = {side: {"hosts": {"prefix": f"198.{n}.0.0/24"}} for side, n in (("left", 18), ("right", 19))}
        engine.configure({"request": "configure", "loopback": True, "technology": siit, **hosts})
        assert refused(trial("nat64", "establish", 100, RATE_FPS)) == (
            "trial.connections: not allowed: the technology is stateless"
        )


def test_an_incomplete_phase_1_is_refused() -> None:
    """A trial that was stopped opened only some of its connections."""
    with bare_engine() as one:
        open_loopback(one)
        message = configuration("nat44", loopback=True)
        one.do(message.pop("request"), **message)
        one.send(json.dumps(trial("nat44", "establish", 10_000, 1000)) + "\n")
        one.send('{"request": "stop"}\n')
        stopped = one.receive()
        assert not stopped["valid"]
        learnt = stopped["connections"]["learnt"]
        assert learnt < 10_000
        assert one.receive() == {"response": "stop"}
        for phase in ("each_once", "steady"):
            assert one.error(json.dumps(trial("nat44", phase, 10_000, 1000))) == (
                f"trial.connections.count: 10000 is not allowed: phase establish opened {learnt} of 10000 connections"
            )
        found = one.do("mappings", examples=0)
        assert (found["count"], found["learnt"]) == (10_000, learnt)
        once_more = {"count": 10_000, "phase": "establish", "keep": True}
        one.send(json.dumps(trial("nat44", "establish", 10_000, 20_000, connections=once_more)) + "\n")
        assert one.receive()["connections"]["learnt"] == 10_000, "what was learnt is kept, the rest is opened"
        one.send(json.dumps(trial("nat44", "each_once", 10_000, 20_000)) + "\n")
        assert one.receive()["reverse"]["foreground"]["expected"] == 10_000
        fewer = {"count": 9_999, "phase": "establish", "keep": True}
        assert one.error(json.dumps(trial("nat44", "establish", 9_999, 20_000, connections=fewer))) == (
            "trial.connections.keep: true is not allowed: there was no phase establish of as many connections"
        )


def test_show() -> None:
    """Frames of phase 1 and of validation, as they leave and as the DUT should make them."""
    with Engine() as engine:
        engine.configure(configuration("nat64", enumeration="increasing", read_order="round_robin"))
        forward, reverse = engine.show(84, "ipv6", 1)
        assert "2001:2::2 > 2001:db8:6464::c613:2" in forward.sent.text
        assert "198.18.0.1 > 198.19.0.2" in forward.expected.text
        assert "1024 > 1," in forward.expected.text, "which port it gets is up to the DUT: the client's own is shown"
        assert "198.19.0.2 > 198.18.0.1" in reverse.sent.text
        assert "2001:db8:6464::c613:2 > 2001:2::2" in reverse.expected.text
