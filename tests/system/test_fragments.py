"""RFC 7915 §4.1, RFC 8200 §4.5: frames that come back in fragments count as one, if the bench file says so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.devices.parts import part
from tests.system.gateway import Gateway, gateway
from tests.system.requirements import needs_nft, needs_root, needs_tayga
from tests.system.stateful_messages import counts, trial, valid
from tests.system.trials import RELAXED, clean, counters, valid_trial
from xlatperf.config.bench import Bench
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.devices.kernel_dut import KernelDut
from xlatperf.lab.bed import DUT_PORTS
from xlatperf.run.session import Session, session

RATE_FPS, DURATION_S, SENT = 5_000, 0.1, 500
SIZE = 1498
"""Of IPv4 frames: 1500 bytes as IPv6, which is more than 1280."""
KEYS = 'traffic.frame_size_of = "ipv4"\ntraffic.dont_fragment = false\ntraffic.reassemble = true\n'


def seen(device: Gateway, size: int = SIZE, **impaired: Any) -> dict[str, int]:
    """The foreground's counters of a trial from right to left."""
    device.impair(reverse=impaired)
    trial = device.trial(frame_size=size, rate_fps=RATE_FPS, duration_s=DURATION_S, directions=["reverse"])
    return counters(trial.answer["reverse"]["foreground"])


def right(**others: int) -> dict[str, int]:
    """All but `others` came in fragments and were right."""
    expected = others.pop("expected", SENT)
    return clean(SENT, expected=expected, in_fragments=expected, **others)


def test_counted_as_one() -> None:
    """Both fragments together are what must come; what one of them lacks or has is told of the frame."""
    with gateway("siit, IPv6 left", KEYS) as device:
        assert seen(device) == right()
        assert seen(device, 1258) == clean(SENT)  # 1280 bytes as IPv6
        # The device numbers what leaves it: the first frame's fragments are 1 and 2.
        assert seen(device, drop={"positions": [2, 11, 40]}) == right(expected=SENT - 3, fragment=3, lost=1)
        assert seen(device, drop={"positions": [7, 8]}) == right(expected=SENT - 1, lost=1)
        for position in (5, 6):
            order = [{"what": "hop_limit", "positions": [position]}]
            assert seen(device, corrupt=order) == right(expected=SENT - 1, hop_limit=1)
        for what, position, reason in (
            ("payload", 5, "payload"),
            ("payload", 6, "payload"),
            ("port", 5, "wrong_port"),
            ("udp_checksum", 5, "udp_checksum"),
            ("traffic_class", 6, "traffic_class"),
        ):
            order = [{"what": what, "positions": [position]}]
            assert seen(device, corrupt=order) == right(expected=SENT - 1, **{reason: 1}), (what, position)


def test_order() -> None:
    """The later fragment may come first, and those of other frames between; a frame that is behind is told of."""
    with gateway("siit, IPv6 left", KEYS) as device:
        assert seen(device, reorder={"positions": [1, 101], "by": 1}) == right()
        assert seen(device, reorder={"positions": [2], "by": 1}) == right()
        assert seen(device, reorder={"positions": [2], "by": 2}) == right(overtaken=1)
        assert seen(device, reorder={"positions": [10], "by": 100})["expected"] == SENT
        assert seen(device, delay_us=1000)["expected"] == SENT


def test_a_fragment_that_comes_twice() -> None:
    """RFC 8200 §4.5: a host may ignore it; behind a frame that is complete, it is one of a frame that never is."""
    with gateway("siit, IPv6 left", KEYS) as device:
        assert seen(device, duplicate={"positions": [5]}) == right(duplicate=1)
        assert seen(device, duplicate={"positions": [6]}) == right(fragment=1)


def test_without_the_key() -> None:
    """Each fragment is wrong, and no frame came."""
    with gateway("siit, IPv6 left", KEYS.replace("reassemble = true", "reassemble = false")) as device:
        assert seen(device) == clean(SENT, expected=0, fragment=2 * SENT)


@contextmanager
def narrow(keys: str) -> Iterator[tuple[Bench, Session]]:
    """A device in a namespace of this kernel, whose right link has an MTU of 1300 bytes."""
    bench = parse_bench(f"{KEYS}{keys}{RELAXED}", "b")
    with session(bench) as running:
        part(running.device, KernelDut).testbed.dut.run(("ip", "link", "set", DUT_PORTS["right"], "mtu", "1300"))
        running.engine.configure(configure_message(bench, (1, 1)))
        yield bench, running


@needs_root
def test_fragments_of_a_router() -> None:
    """RFC 791 §3.2: they have the identification that was sent, each frame another one."""
    with narrow('technology = { name = "native", family = "ipv4" }\ndevice.driver = "linux"\n') as (bench, running):
        answer = valid_trial(
            running.engine, bench, frame_size=SIZE, rate_fps=RATE_FPS, duration_s=DURATION_S, directions=["forward"]
        )
    assert counters(answer["forward"]["foreground"]) == right()


@needs_root
@needs_nft
def test_fragments_of_a_nat() -> None:
    """RFC 9693 §4.4: phase 1 learns from frames that came in fragments."""
    with narrow('technology.name = "nat44"\ndevice.driver = "nft-nat44"\n') as (_, running):
        message = trial("nat44", "establish", SENT, RATE_FPS, frame_size=SIZE)
        answer = valid(running.engine, message, before=running.device.clear_state)
        learnt = running.engine.mappings(SENT).learnt
    assert counts(answer, "forward") == {"sent": SENT, "expected": SENT, "in_fragments": SENT}
    assert learnt == SENT


def behind_tayga(keys: str = "", nft: str = "") -> dict[str, int]:
    """What came of frames from right to left; `nft`: a rule on IPv4 in front of it."""
    technology = 'technology.name = "siit"\ndevice.driver = "tayga"\ntraffic.hops = 3\n'
    bench = parse_bench(f"{KEYS}{keys}{technology}{RELAXED}", "b")
    with session(bench) as running:
        if nft:
            chain = f"chain first {{ type filter hook prerouting priority -400; {nft}; }}"
            table = f"table ip before {{ {chain}; }}\n"
            part(running.device, KernelDut).testbed.dut.run(("nft", "-f", "-"), text=table)
        running.engine.configure(configure_message(bench, (1, 1)))
        answer = valid_trial(
            running.engine, bench, frame_size=SIZE, rate_fps=2000, duration_s=0.1, directions=["reverse"]
        )
    return counters(answer["reverse"]["foreground"])


@needs_root
@needs_tayga
def test_fragments_of_tayga() -> None:
    """RFC 7915 §4.1: IPv6 fragments have the IPv4 packet's identification, in the low bits."""
    assert behind_tayga() == clean(200, in_fragments=200)


@needs_root
@needs_tayga
@needs_nft
def test_fragments_with_another_identification() -> None:
    """RFC 7915 §4.1: it is copied. All have the same here, frame 7 its own; they are told apart by their order."""
    all_the_same = "ip protocol udp ip id set 7"
    assert behind_tayga(nft=all_the_same) == clean(200, expected=1, identification=199, in_fragments=1)
    accepted = 'traffic.accept = ["identification"]\n'
    remarks = {"accepted": 199, "accepted_identification": 199, "in_fragments": 200}
    assert behind_tayga(accepted, all_the_same) == clean(200, **remarks)
