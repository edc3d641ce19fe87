"""The kernel's NAT44 in a network namespace: connections through a gateway that really keeps state (RFC 9693 §4)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.devices.parts import part
from tests.retries import attempts
from tests.system.requirements import needs_nft, needs_root
from tests.system.stateful_messages import LINKS, POOL_IPV4, as_asked, configuration, counts, trial, valid
from tests.system.trials import ATTEMPTS
from xlatperf.devices.device import Device, DeviceError, Plan
from xlatperf.devices.kernel_dut import KernelDut
from xlatperf.devices.nft_nat44 import NftNat44
from xlatperf.engine.client import Engine
from xlatperf.engine.errors import EngineError
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.lab.bed import DUT_PORTS
from xlatperf.lab.testbed import Testbed
from xlatperf.procedures.connections import TRIED, Connections
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.experiment import Experiments
from xlatperf.run.old_connections import OldConnections

pytestmark = [needs_root, needs_nft]

COUNT = 2000
RATE_FPS = 10_000.0
PLAIN = TrialRequest(64, "ipv4", 1.0, 1.0, 0.2)
FRAMES = 2500  # of a steady trial in each direction


@dataclass
class Nat:
    """A prepared device and an engine with open ports."""

    engine: Engine
    device: Device

    @property
    def testbed(self) -> Testbed:
        bed = part(self.device, KernelDut).testbed
        assert isinstance(bed, Testbed)
        return bed

    def translate_to(self, source: str) -> None:
        """Replaces the rules: what leaves on the right gets this source."""
        self.testbed.dut.run(("nft", "flush", "chain", "ip", "xlatperf", "translate"))
        rule = ("oifname", DUT_PORTS["right"], "snat", "to", source)
        self.testbed.dut.run(("nft", "add", "rule", "ip", "xlatperf", "translate", *rule))

    def establish(self, **changes: Any) -> dict[str, Any]:
        """Phase 1 with an empty table."""
        message = trial("nat44", "establish", COUNT, RATE_FPS, **changes)
        return valid(self.engine, message, before=self.device.clear_state)

    def validate(self) -> dict[str, Any]:
        return valid(self.engine, trial("nat44", "each_once", COUNT, RATE_FPS))

    def steady(self, **changes: Any) -> dict[str, Any]:
        return valid(self.engine, trial("nat44", "steady", COUNT, RATE_FPS, **changes))

    def ask(self, request: TrialRequest, tag: int) -> TrialAnswer:
        """As a campaign asks, but patient with a machine that others use as well."""
        return self.engine.trial(as_asked(request, tag))


class Unemptied(Device):
    """A driver whose command to empty the table does nothing as long as it's `idle`, and which can't count."""

    def __init__(self, device: Device) -> None:
        super().__init__(device.attachment)
        self.device = device
        self.idle = True

    def alive(self) -> bool:
        return self.device.alive()

    def clear_state(self) -> None:
        if not self.idle:
            self.device.clear_state()

    def count_state(self) -> int | None:
        return None


@contextlib.contextmanager
def kernel_nat(keys: dict[str, Any] | None = None, **changes: Any) -> Iterator[Nat]:
    message = configuration("nat44", **changes)
    with Engine() as planner:
        describe = planner.configure(message).model_dump(mode="json", by_alias=True)
    with contextlib.ExitStack() as undo:
        plan = Plan(message["technology"], describe, LINKS["left"], LINKS["right"], "af_packet")
        try:
            device = NftNat44.model_validate({"driver": "nft-nat44", **(keys or {})}).prepare(plan, undo)
        except DeviceError as error:
            if "another run" in str(error):  # the table's size is one value for the whole host
                pytest.skip(str(error))
            raise
        attachment = device.attachment
        with Engine(command_prefix=attachment.command_prefix) as engine:
            engine.configure(message)
            ports = {"left": {"port": attachment.left_port}, "right": {"port": attachment.right_port}}
            engine.open({"request": "open", "cores": [1], "hugepages": "never", **ports})
            yield Nat(engine, device)


def all_expected(answer: dict[str, Any], **frames: int) -> None:
    for direction, sent in frames.items():
        assert counts(answer, direction) == {"sent": sent, "expected": sent}, answer["samples"]


def test_establish_validate_steady() -> None:
    """R8219-11, R9693-4.5, R9693-4.6-1, R9693-4.7-1: 2000 connections of two clients through the kernel."""
    with kernel_nat(clients=2) as nat:
        all_expected(nat.establish(), forward=COUNT)
        assert nat.device.count_state() == COUNT
        mappings = nat.engine.mappings(COUNT)
        assert (mappings.learnt, mappings.shared) == (COUNT, 0), mappings.examples
        assert mappings.addresses == ((POOL_IPV4, COUNT),)
        # clients with the same port: one of the two has to give way
        assert 0.9 * COUNT < mappings.ports_kept <= COUNT
        all_expected(nat.validate(), reverse=COUNT)
        all_expected(nat.steady(), forward=FRAMES, reverse=FRAMES)
        all_expected(nat.steady(directions=["forward"]), forward=FRAMES)
        all_expected(nat.steady(directions=["reverse"]), reverse=FRAMES)
        assert nat.device.count_state() == COUNT, "R9693-4.4-1, E2: phase 2 opens no connections"


@pytest.mark.alone
def test_a_full_table_is_seen_by_validation_only() -> None:
    """R9693-4.9 (c): all of phase 1 arrives, though only some connections are still there at its end.

    When the table is full, the kernel deletes connections without an answer, if a few buckets hold any
    (net/netfilter/nf_conntrack_core.c, early_drop): with few buckets they always do.
    """
    with kernel_nat({"table_size": COUNT // 2, "hash_size": 64}) as nat:
        all_expected(nat.establish(), forward=COUNT)
        held = nat.device.count_state()
        assert held is not None
        assert 0 < held <= COUNT // 2
        found = counts(nat.validate(), "reverse")
        # an unknown frame may push one more out before it is dropped itself
        assert held / 2 < found["expected"] <= held
        assert found == {"sent": COUNT, "expected": found["expected"], "lost": COUNT - found["expected"]}


@pytest.mark.alone
def test_a_full_table_that_drops() -> None:
    """R9693-4.9 (a): with many buckets the kernel finds nothing to delete and drops new connections: phase 1 tells."""
    with kernel_nat({"table_size": COUNT // 2}) as nat:
        answer = nat.establish()
        found = counts(answer, "forward")
        assert found["expected"] == answer["connections"]["learnt"] < COUNT
        assert found["expected"] + found["lost"] == COUNT
        with pytest.raises(EngineError, match=r"phase establish opened \d+ of 2000 connections"):
            nat.validate()
        let_in, tried = OldConnections(COUNT).let_in(nat.ask, PLAIN, 99)
        assert 0 < let_in < tried == TRIED, "those that were opened"


def test_emptied_in_between() -> None:
    """R9693-4.3: what comes from a server without a connection is dropped."""
    with kernel_nat() as nat:
        all_expected(nat.establish(), forward=COUNT)
        nat.device.clear_state()
        assert counts(nat.validate(), "reverse") == {"sent": COUNT, "lost": COUNT}


def test_a_clear_command_that_does_nothing() -> None:
    """R9693-4.4-2: it's found out without counting, by frames on the connections of the experiment before."""
    with kernel_nat() as nat:
        device = Unemptied(nat.device)
        experiments = Experiments(nat.engine, device, nat.ask)
        request = PLAIN.experiment(Connections(COUNT, "establish"), RATE_FPS, "search")
        for number in attempts(ATTEMPTS):
            first = experiments.run(request, 10 * number)
            if first.valid:
                break
        assert first.valid, first.reasons
        found = experiments.run(request, 10 * ATTEMPTS)
        said = (
            f"the DUT was told 4 times to empty its table, but {TRIED} of {TRIED} frames on connections that it should"
        )
        (reason,) = found.reasons
        assert reason.code == "not_emptied"
        assert reason.text.startswith(said)
        device.idle = False
        last = experiments.run(request, 10 * ATTEMPTS + 10).experiment
        assert last is not None
        assert last.old_tried == TRIED


def test_without_nat() -> None:
    """A router in place of the gateway: sources are the clients' own."""
    with kernel_nat() as nat:
        nat.testbed.dut.run(("nft", "flush", "ruleset"))
        answer = nat.establish()
        assert counts(answer, "forward") == {"sent": COUNT, "outside_pool": COUNT}
        assert answer["connections"]["learnt"] == 0
        sample = answer["samples"][0]
        assert (sample["reason"], sample["side"]) == ("outside_pool", "right")
        assert sample["text"].startswith("source 10.0.0.2 port ")
        assert sample["text"].endswith(f", expected {POOL_IPV4}, ports 1024 to 65535")


def test_ports_outside_the_pool() -> None:
    """The rule gives ports that the bench doesn't name."""
    with kernel_nat(pool_keys={"first_port": 1024, "last_port": 30000}) as nat:
        nat.translate_to(POOL_IPV4)
        found = counts(nat.establish(samples=1), "forward")
        assert found["expected"] + found["outside_pool"] == COUNT
        assert found["outside_pool"] == pytest.approx(COUNT * 35535 / 64512, rel=0.2)


def test_mappings_that_change() -> None:
    """R9693-4.7-1: the Responder updates its state table; each change counts once, the next frame is as expected."""
    with kernel_nat(pool_keys={"addresses": 2}) as nat:
        nat.translate_to(POOL_IPV4)
        all_expected(nat.establish(), forward=COUNT)
        nat.device.clear_state()
        nat.translate_to("198.18.0.2")
        answer = nat.steady(directions=["forward"])
        found = counts(answer, "forward")
        assert found["expected"] + found["mapping_changed"] == FRAMES
        # so many of 2000 are met by 2500 draws: 2000 (1 - (1 - 1 / 2000)^2500)
        assert found["mapping_changed"] == pytest.approx(1427, rel=0.1)
        assert answer["samples"][0]["reason"] == "mapping_changed"
        assert answer["samples"][0]["text"].endswith(" had another one before")
        addresses = dict(nat.engine.mappings(COUNT).addresses)
        assert addresses == {POOL_IPV4: COUNT - found["mapping_changed"], "198.18.0.2": found["mapping_changed"]}
        assert counts(nat.steady(directions=["reverse"]), "reverse")["expected"] > 0


def test_several_addresses_of_clients() -> None:
    """R9693-3.2: clients on consecutive addresses, whose ports collide in one pool address."""
    ports = {"first": 40000, "last": 40099}
    with kernel_nat(clients=20, client_ports=ports) as nat:
        all_expected(nat.establish(), forward=COUNT)
        mappings = nat.engine.mappings(COUNT)
        assert (mappings.learnt, mappings.shared) == (COUNT, 0), mappings.examples
        assert mappings.ports_kept < COUNT / 2, "20 clients want each port"
        all_expected(nat.validate(), reverse=COUNT)
