"""The reference device does wrong what it is told to: the Tester must count exactly that, and nothing else.

Design, ideas 2 and 6: every received frame is verified in full, and what the Tester reports is what is there. The
device is written from the standards a second time, so its own counts are an independent witness.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.system.faults import DURATION_S, EVERY, FAULTS, HIT, RATE_FPS, SENT, Fault, corrupt, hit_and_counted
from tests.system.gateway import SIDES, TECHNOLOGIES, Gateway, gateway
from tests.system.trials import clean, counters, quiet_port

TRANSLATING = [name for name in TECHNOLOGIES if name.startswith("siit")]
TWICE = "IPv4 translated twice"  # has tests of its own
WITH_IPV4 = [name for name in TECHNOLOGIES if name not in ("native IPv6", TWICE)]
ONE_EACH = ["siit, IPv6 left", "native IPv4"]


@pytest.fixture(scope="module", params=[name for name in TECHNOLOGIES if name != TWICE])
def device(request: pytest.FixtureRequest) -> Iterator[Gateway]:
    with gateway(request.param) as made:
        yield made


def test_no_fault(device: Gateway) -> None:
    """R2544-26.1, R8219-5.3-1: without impairments every frame is expected, in both directions at once."""
    device.impair()
    for frame_size in (84, 1280, 1518):
        seen = device.trial(frame_size=frame_size, rate_fps=RATE_FPS, duration_s=DURATION_S).answer
        for name, (_, arrival) in SIDES.items():
            assert counters(seen[name]["foreground"]) == clean(SENT)  # R7915-5.1: df_differs is 0 at all sizes
            assert seen[name]["lost_ranges"] == []
            quiet_port(seen[arrival], received=SENT)


def test_half_background(device: Gateway) -> None:
    """R8219-5.3-3: half of the frames native IPv6; both classes counted apart, all expected."""
    device.impair()
    device.mix(1, 2)
    try:
        seen = device.trial(frame_size=128, rate_fps=RATE_FPS, duration_s=DURATION_S).answer
    finally:
        device.mix(1, 1)
    for name, (_, arrival) in SIDES.items():
        assert counters(seen[name]["foreground"]) == clean(SENT // 2)
        assert counters(seen[name]["background"]) == clean(SENT // 2)
        quiet_port(seen[arrival], received=SENT)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_each_fault_in_its_own_counter(device: Gateway, fault: Fault) -> None:
    """Each fault appears in its own counter, with exactly the number that the device reports, and in no other one."""
    hit_and_counted(device, fault, tuple(SIDES), 84)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("device", ["siit, IPv6 left"], indirect=True)
def test_each_fault_in_its_own_counter_in_longer_frames(device: Gateway, fault: Fault) -> None:
    """The same in frames whose data are more than the tag."""
    hit_and_counted(device, fault, tuple(SIDES), 256)


@pytest.mark.parametrize("device", WITH_IPV4, indirect=True)
def test_ip_checksum(device: Gateway) -> None:
    """R7915-5.1: the header checksum of IPv4 frames; IPv6 has none."""
    directions = tuple(name for name in SIDES if device.output_family(name) == "ipv4")
    hit_and_counted(device, corrupt("ip_checksum", "ip_checksum"), directions, 84)


@pytest.mark.parametrize("device", TRANSLATING, indirect=True)
def test_untranslated(device: Gateway) -> None:
    """A frame that comes out as it went in is `untranslated`, not lost and not foreign (RFC 7915 §1.1)."""
    order = {"untranslated": {"every": EVERY}}
    device.impair(forward=order, reverse=order)
    seen = device.trial(frame_size=128, rate_fps=RATE_FPS, duration_s=DURATION_S)
    for name, (_, arrival) in SIDES.items():
        assert seen.device[name]["impairments"]["untranslated"] == HIT
        assert counters(seen.answer[name]["foreground"]) == clean(SENT, expected=SENT - HIT, untranslated=HIT)
        quiet_port(seen.answer[arrival], received=SENT)


def test_fault_in_background(device: Gateway) -> None:
    """R8219-5.3-3: a fault is counted in the class of the frame that has it."""
    order = {"corrupt": [{"what": "payload", "every": 2}]}
    device.impair(forward=order)
    device.mix(1, 2)
    try:
        seen = device.trial(frame_size=128, rate_fps=RATE_FPS, duration_s=DURATION_S)
        shown = device.engine.show(128, device.bench.traffic.frame_size_of, 2, ["forward"])
    finally:
        device.mix(1, 1)
    damaged = shown[1].class_  # the second frame, and every other one after it
    assert {frame.class_ for frame in shown} == {"foreground", "background"}
    assert seen.device["forward"]["impairments"]["corrupted"] == {"payload": SENT // 2}
    for name in ("foreground", "background"):
        wanted = clean(SENT // 2, expected=0, payload=SENT // 2) if name == damaged else clean(SENT // 2)
        assert counters(seen.answer["forward"][name]) == wanted
        assert counters(seen.answer["reverse"][name]) == clean(SENT // 2)


@pytest.mark.parametrize("device", ONE_EACH, indirect=True)
def test_overtaken_by_the_other_class_is_not_reordered(device: Gateway) -> None:
    """R7915-4: packets of a flow keep their order; what is translated may take longer than what isn't."""
    device.impair(forward={"delays": [{"delay_us": 20_000, "every": 2}]})
    device.mix(1, 2)
    try:
        seen = device.trial(frame_size=128, rate_fps=RATE_FPS, duration_s=DURATION_S)
    finally:
        device.mix(1, 1)
    assert seen.device["forward"]["impairments"]["delayed"] == SENT // 2
    for name in ("foreground", "background"):
        assert counters(seen.answer["forward"][name]) == clean(SENT // 2)


def test_every_thousandth_frame_lost(device: Gateway) -> None:
    """R2544-26.3: every 1000th frame dropped is a loss of exactly 0.1 %, and the lost numbers are the right ones."""
    device.impair(forward={"drop": {"every": 1000}})
    seen = device.trial(frame_size=84, rate_fps=20_000, duration_s=0.5)
    forward = seen.answer["forward"]
    assert counters(forward["foreground"]) == clean(10_000, expected=9990, lost=10)
    assert (10_000 - forward["foreground"]["expected"]) / 10_000 * 100 == pytest.approx(0.1, rel=1e-12)
    assert forward["lost_ranges"] == [[number, number] for number in range(999, 10_000, 1000)]
    assert forward["lost_ranges_complete"] is True
    assert forward["last_lost"] == 9999
    # The device counts from 1, frames are numbered from 0.
    assert [
        [first - 1, last - 1] for first, last in seen.device["forward"]["impairments"]["dropped_positions"]
    ] == forward["lost_ranges"]
    assert counters(seen.answer["reverse"]["foreground"]) == clean(10_000)


def test_a_list_of_frames_lost(device: Gateway) -> None:
    """Design, idea 2: the numbers of lost frames are known, single ones and runs, the first and the last one too."""
    positions = [1, 2, 3, 17, 500, 501, 999, 1000]
    device.impair(reverse={"drop": {"positions": positions}})
    reverse = device.trial(frame_size=84, rate_fps=RATE_FPS, duration_s=DURATION_S).answer["reverse"]
    assert counters(reverse["foreground"]) == clean(SENT, expected=SENT - len(positions), lost=len(positions))
    assert reverse["lost_ranges"] == [[0, 2], [16, 16], [499, 500], [998, 999]]
    assert reverse["last_lost"] == 999


@pytest.mark.parametrize("device", ONE_EACH, indirect=True)
def test_late(device: Gateway) -> None:
    """A frame that took longer than frame_timeout_ms is `late`: it counts neither as expected nor as never arrived."""
    order = {"delays": [{"delay_us": 500_000, "every": EVERY}]}
    device.impair(forward=order, reverse=order)
    wanted: dict[str, Any] = {"frame_size": 84, "rate_fps": RATE_FPS, "duration_s": DURATION_S, "timeout_s": 1}
    seen = device.trial(fence=None, **wanted, frame_timeout_ms=250)
    for name in SIDES:
        assert seen.device[name]["impairments"]["delayed"] == HIT
        assert counters(seen.answer[name]["foreground"]) == clean(SENT, expected=SENT - HIT, late=HIT)
        delay = seen.answer[name]["foreground"]["delay"]
        assert delay["count"] == SENT
        assert delay["max_ns"] >= 500_000_000
    # Without the limit the same frames are expected: they only let others overtake (R2544-26.1, R2544-23).
    seen = device.trial(fence=None, **wanted)
    for name in SIDES:
        assert counters(seen.answer[name]["foreground"]) == clean(SENT, overtaken=HIT)


@pytest.mark.parametrize("device", ONE_EACH, indirect=True)
def test_stale(device: Gateway) -> None:
    """R2544-23: what arrives after the trial's end is lost in that trial, and `stale` in the next, never a pass."""
    held = [10, 20, 30, 40, 50]
    order = {"delays": [{"delay_us": 2_000_000, "positions": held}]}
    firsts: list[dict[str, Any]] = []

    def hold_some_back() -> None:
        device.impair(forward=order)
        firsts.append(device.trial(frame_size=84, rate_fps=1000, duration_s=0.1).answer)

    second = device.trial(before=hold_some_back, frame_size=84, rate_fps=500, duration_s=2.6).answer
    first = firsts[-1]
    assert counters(first["forward"]["foreground"]) == clean(100, expected=95, lost=5)
    assert first["forward"]["lost_ranges"] == [[number - 1, number - 1] for number in held]
    assert second["right"]["stale"] == len(held)
    assert second["left"]["stale"] == 0
    for name in SIDES:
        assert counters(second[name]["foreground"]) == clean(1300)


@pytest.mark.parametrize("device", ONE_EACH, indirect=True)
def test_capacity(device: Gateway) -> None:
    """R2544-26.1: below the device's capacity nothing is lost, above it exactly what the device had no room for."""
    capacity_fps, room = 2000, 1000
    device.impair(forward={"capacity": {"rate_fps": capacity_fps, "buffer": room}})
    below = device.trial(frame_size=84, rate_fps=500, duration_s=0.5).answer
    assert counters(below["forward"]["foreground"]) == clean(250)
    above = device.trial(frame_size=84, rate_fps=10_000, duration_s=0.5, timeout_s=1)
    forward, lost = above.answer["forward"], above.device["forward"]["impairments"]["capacity_dropped"]
    assert lost > 0
    assert counters(forward["foreground"]) == clean(5000, expected=5000 - lost, lost=lost)
    assert counters(above.answer["reverse"]["foreground"]) == clean(5000)
