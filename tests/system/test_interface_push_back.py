"""Frames that the device at the other end of a tap doesn't take: they never left the Tester's interface."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.retries import attempts
from tests.system.trials import RELAXED, clean, counters, valid_trial
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.devices.filters import MOST_FILTERS
from xlatperf.engine.client import Engine
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.lab.namespace import Namespace
from xlatperf.meaning.explain import explain
from xlatperf.run.session import session

TAPS = ("t0", "t1")
TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
BENCH = f"""
technology = {{ name = "native", family = "ipv4" }}
device.driver = "manual"
tester.left = {{ port = "net_af_packet0,iface=t0", gateway_mac = "02:00:00:00:00:d0" }}
tester.right = {{ port = "net_af_packet1,iface=t1", gateway_mac = "02:00:00:00:00:d1" }}
{RELAXED}
"""
QUEUE = 100
RESTS_BEFORE, RESTS_S = 50, 0.03


def open_tap(name: str) -> int:
    """A descriptor of the device's end: whoever reads it gets the frames that were sent on the interface."""
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TAP | IFF_NO_PI))
    return descriptor


@contextmanager
def taps() -> Iterator[tuple[Namespace, dict[str, int]]]:
    """Two in a namespace, with short queues, and the device's ends."""
    with ExitStack() as undo:
        namespace = Namespace(f"xlatperf-{os.getpid()}-taps")
        namespace.create()
        undo.callback(namespace.remove)
        ends: dict[str, int] = {}
        for name in TAPS:
            ends[name] = namespace.inside(partial(open_tap, name))
            undo.callback(os.close, ends[name])
            # first: a report of the kernel's own would wait for the device, and be counted as the first to leave
            namespace.set_sysctl(f"net.ipv6.conf.{name}.disable_ipv6", 1)
            namespace.run(("ip", "link", "set", name, "txqueuelen", str(QUEUE), "up"))
        yield namespace, ends


@contextmanager
def serving(end: int, serve: Callable[[], None]) -> Iterator[None]:
    """In a thread: whenever a frame waits at this end, `serve` takes one."""
    over = threading.Event()

    def run() -> None:
        while not over.is_set():
            if select.select([end], [], [], 0.05)[0]:
                serve()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def reading(end: int) -> AbstractContextManager[None]:
    """A device that takes all frames and sends none."""

    def read() -> None:
        with suppress(BlockingIOError):
            os.read(end, 2048)

    return serving(end, read)


def forwarding(ends: dict[str, int], mac: str, rate_fps: float) -> AbstractContextManager[None]:
    """A router in one thread that takes so many frames per second at t0, and sends them on t1 to the Tester's `mac`.

    Once it rests for so long that the Tester asks for its MAC address again, and takes the question for a frame.
    """
    due_s = time.monotonic()
    taken = 0

    def forward() -> None:
        nonlocal due_s, taken
        taken += 1
        if taken == RESTS_BEFORE:
            due_s += RESTS_S
        due_s = max(due_s + 1 / rate_fps, time.monotonic() - 10 / rate_fps)
        time.sleep(max(0.0, due_s - time.monotonic()))
        packet = bytearray(os.read(ends["t0"], 2048)[14:])
        packet[8] -= 1
        checksum = int.from_bytes(packet[10:12]) + 0x100  # RFC 1624
        packet[10:12] = ((checksum & 0xFFFF) + (checksum >> 16)).to_bytes(2)
        os.write(ends["t1"], bytes.fromhex(mac.replace(":", "") + "0200000000d1" + "0800") + packet)

    return serving(ends["t0"], forward)


def left(namespace: Namespace, interface: str) -> int:
    """Frames that the kernel got rid of on it."""
    lines = namespace.inside(Path("/proc/thread-self/net/dev").read_text).splitlines()
    return next(int(line.split()[10]) for line in lines if line.strip().startswith(f"{interface}:"))


def test_not_taken() -> None:
    """R2544-26.1: they are lost, and it's said that the device never got them."""
    bench = parse_bench(BENCH, "b")
    with taps() as (namespace, ends), Engine(command_prefix=namespace.prefix) as engine:
        engine.configure(configure_message(bench, (1, 1)))
        ports = {side: {"port": getattr(bench.tester, side).port} for side in ("left", "right")}
        engine.open({"request": "open", "cores": [1], "hugepages": "never", **ports})
        before = left(namespace, "t0")
        answer = valid_trial(
            engine, bench, frame_size=84, rate_fps=5000, duration_s=0.2, timeout_s=0.05, directions=["forward"]
        )
        not_taken = 1000 - (left(namespace, "t0") - before)
        assert 1000 - QUEUE <= not_taken <= 1000
        direction = answer["forward"]
        assert counters(direction["foreground"]) == clean(1000, expected=0, lost=1000)
        assert direction["departure"]["not_taken"] == not_taken
        said = "\n".join(explain(TrialAnswer.model_validate(answer)))
        assert f"forward: {not_taken} of 1000 frames never left the Tester's port: the DUT didn't take them" in said
        with reading(ends["t0"]):
            for _ in range(2):  # before those of this trial come those that nobody took
                read = valid_trial(
                    engine, bench, frame_size=84, rate_fps=5000, duration_s=0.2, timeout_s=0.05, directions=["forward"]
                )
        assert counters(read["forward"]["foreground"]) == clean(1000, expected=0, lost=1000)
        assert read["forward"]["departure"]["not_taken"] == 0, "it took them all, and answered none"


@pytest.mark.alone  # beside others the device isn't as slow as it's meant to be, but slower, or the Tester is
@pytest.mark.parametrize("driver", ["net_af_packet", "net_af_xdp"])
def test_a_slow_device_takes_them_later(driver: str) -> None:
    """R2544-23: its trial ends when all have left the port, or it takes no more; none comes in the next one.

    How long they waited there is told: it is in the delays, and a wire has no such queue. What the Tester asks
    meanwhile leaves the same port and is no test frame.
    """
    bench = parse_bench(BENCH.replace("net_af_packet", driver), "b")
    with taps() as (namespace, ends), Engine(command_prefix=namespace.prefix) as engine:
        engine.configure(configure_message(bench, (1, 1)))
        ports = {side: {"port": getattr(bench.tester, side).port} for side in ("left", "right")}
        opened = engine.open({"request": "open", "cores": [1], "hugepages": "never", **ports})
        wanted: dict[str, Any] = {"frame_size": 84, "timeout_s": 0.05, "directions": ["forward"], "fence": None}
        with forwarding(ends, opened.right.mac, 1000):
            slow = valid_trial(engine, bench, rate_fps=2000, duration_s=0.4, **wanted)
            after = valid_trial(engine, bench, rate_fps=200, duration_s=0.1, **wanted)
        direction, foreground = slow["forward"], counters(slow["forward"]["foreground"])
        not_taken, waited_ns = (direction["departure"][key] for key in ("not_taken", "waited_ns"))
        assert slow["right"]["malformed"] > 0, "a question came back"
        assert foreground["lost"] == not_taken
        assert foreground["expected"] + foreground["after_wait"] == 800 - not_taken
        assert foreground["after_wait"] > 0
        longest_ns = direction["foreground"]["delay"]["max_ns"]
        assert 0.5 * longest_ns < waited_ns, "of the longest delay that is most"
        assert "in the Tester's own port" in "\n".join(explain(TrialAnswer.model_validate(slow)))
        assert counters(after["forward"]["foreground"]) == clean(20), "its own frames, and no others"
        assert after["right"]["stale"] == 0


@pytest.mark.alone
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="Tester and device need a core each")
def test_a_slow_device_does_not_make_the_tester_late() -> None:
    """R2544-26.1: the rate is what was asked for, on the usual schedule; what the device has no room for is lost.

    Of frames in a kernel's queue on a veth the Tester's socket holds some 250, then its ring 4,096: more than that is
    left over here, whatever the host. DPDK's driver would sleep until the device has taken half of them.
    """
    bench = parse_bench(
        f"""
        technology = {{ name = "native", family = "ipv4" }}
        device = {{ driver = "linux", kernel_cores = [0], filters = {MOST_FILTERS} }}
        tester.port_driver = "af_packet"
        """,
        "b",
    )
    with session(bench) as running:
        running.engine.configure(configure_message(bench, (1, 1)))
        wanted: dict[str, Any] = {"frame_size": 84, "rate_fps": 100_000, "duration_s": 1, "timeout_s": 1}
        for _ in attempts(3):  # now and then a host holds the Tester up for longer than its socket has frames
            answer = valid_trial(running.engine, bench, **wanted, directions=["forward"])
            direction = answer["forward"]
            assert direction["departure"]["not_taken"] > 10_000
            if direction["sent"] >= 0.99 * 100_000:
                return
    pytest.fail(f"late in each of 3 trials: {direction['sent']} of 100,000 frames left")


@pytest.mark.parametrize("driver", ["net_af_packet", "net_af_xdp"])
def test_a_link_that_goes_down_for_a_moment(driver: str) -> None:
    """To the driver it's always up; the interface knows, whichever end took it down."""
    bench = parse_bench(BENCH.replace("net_af_packet", driver), "b")
    with taps() as (namespace, ends), Engine(command_prefix=namespace.prefix) as engine, reading(ends["t0"]):
        engine.configure(configure_message(bench, (1, 1)))
        ports = {side: {"port": getattr(bench.tester, side).port} for side in ("left", "right")}
        engine.open({"request": "open", "cores": [1], "hugepages": "never", **ports})
        wanted: dict[str, Any] = {"request": "trial", "frame_size": 84, "frame_size_of": "ipv6", "rate_fps": 1000}
        wanted |= {"duration_s": 0.5, "timeout_s": 0.1, "directions": ["forward"]}

        def down_and_up() -> None:
            time.sleep(0.2)
            namespace.run(("ip", "link", "set", "t1", "down"))
            time.sleep(0.1)
            namespace.run(("ip", "link", "set", "t1", "up"))

        before = engine.trial({**wanted, "number": 1})
        assert (before.left.link_up, before.right.link_up) == (True, True)
        during = engine.trial({**wanted, "number": 2}, down_and_up)
        assert (during.left.link_up, during.right.link_up) == (True, False)
        assert "link_down" in [reason.code for reason in during.reasons]
