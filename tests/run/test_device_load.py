"""What a part of the DUT uses while frames are sent: by samples with a clock of their own."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tests.simulated_dut import answer, capacity
from xlatperf.devices.device import DeviceError
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.device_load import DeviceLoad, Sample, device_load, every_s

BEGAN_S, SENDING_S = 1000.0, 2.0


def sent(sending_s: float = SENDING_S) -> TrialAnswer:
    document = answer(TrialRequest(84, "ipv6", 1000, sending_s), capacity(1e6))
    return TrialAnswer.model_validate({**document, "starts_at_s": BEGAN_S})


def used_s(at_s: float) -> float:
    """0.8 of a core while frames are sent, and then 1.5 s of a whole one for those that wait in its buffers."""
    into_s = at_s - BEGAN_S
    return 0.8 * min(max(into_s, 0.0), SENDING_S) + min(max(into_s - SENDING_S, 0.0), 1.5)


def load_of(*times_s: float) -> DeviceLoad:
    load = DeviceLoad([Sample(BEGAN_S + time_s, {"clat": used_s(BEGAN_S + time_s)}) for time_s in times_s])
    load.over(sent())
    return load


def test_only_what_is_used_while_frames_are_sent() -> None:
    """Divided by the time of sending, all that the part did would be 1.55 cores of one."""
    found = load_of(-1.0, -0.1, 0.1, 0.55, 1.9, 2.1, 5.0).added
    assert found["device_cpu"] == {"clat": pytest.approx(0.8)}
    assert [(one.from_s, one.to_s) for one in found["device_load"]] == [(0.1, 0.55), (0.55, 1.9)]
    assert [one.cores["clat"] for one in found["device_load"]] == [pytest.approx(0.8)] * 2


@pytest.mark.parametrize("times_s", [(), (1.0,), (-0.1, 1.0, 2.1)])
def test_with_less_than_two_samples_nothing_is_known(times_s: tuple[float, ...]) -> None:
    assert load_of(*times_s).added == {}


def test_some_parts_tell_less_often_than_others() -> None:
    times_s = (0.2, 0.6, 1.0, 1.4, 1.8)
    load = DeviceLoad(
        [
            Sample(BEGAN_S + at_s, {"qemu": 0.5 * at_s, **({"core 0": 0.25 * at_s} if number % 2 else {})})
            for number, at_s in enumerate(times_s)
        ]
    )
    load.over(sent())
    found = load.added
    assert found["device_cpu"] == {"qemu": pytest.approx(0.5), "core 0": pytest.approx(0.25)}
    of_core = [(one.from_s, one.to_s, one.cores) for one in found["device_load"] if "core 0" in one.cores]
    assert of_core == [(0.6, 1.4, {"core 0": pytest.approx(0.25)})]
    assert [(one.from_s, one.to_s) for one in found["device_load"] if "qemu" in one.cores] == [
        (0.2, 0.6), (0.6, 1.0), (1.0, 1.4), (1.4, 1.8)
    ]  # fmt: skip


def idle_of(*times_s: float) -> dict[str, Any]:
    """Core 0 idles for a quarter of the time, core 1 always, one tick too much."""
    samples = [
        Sample(BEGAN_S + at_s, {}, {"core 0": 7.0 + 0.25 * at_s, "core 1": 1.01 * (at_s - times_s[0])})
        for at_s in times_s
    ]
    load = DeviceLoad(samples)
    load.over(sent(60.0))
    return load.added


def test_how_idle_the_cores_were() -> None:
    """Second by second, whatever else is sampled more often: ticks of 10 ms would be seen."""
    found = idle_of(*(0.1 * number for number in range(35)))
    assert found["device_idle"] == {"core 0": pytest.approx(0.25), "core 1": 1.0}
    assert [one.to_s - one.from_s for one in found["core_idle"]] == [pytest.approx(0.9, abs=0.11)] * 3
    for one in found["core_idle"]:
        assert one.idle == {"core 0": pytest.approx(0.25, abs=1e-3), "core 1": 1.0}
    assert "device_cpu" not in found


@pytest.mark.parametrize(("times_s", "known"), [((0.0, 0.1), False), ((0.0, 0.5), True), ((0.0,), False)])
def test_of_less_than_some_ticks_nothing_is_known(times_s: tuple[float, ...], known: bool) -> None:
    found = idle_of(*times_s)
    assert bool(found) == known
    assert not found.get("core_idle")


class Driver:
    cpu_every_s = 0.01

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.asked = 0
        self.enough = threading.Event()

    def cpu_s(self) -> dict[str, float]:
        self.asked += 1
        if self.asked == 4:
            self.enough.set()
        if self.error is not None and self.asked > 1:
            self.enough.set()
            raise self.error
        return {"clat": 0.5 * self.asked}

    def idle_s(self) -> dict[str, float]:
        return {"clat core 0": 0.25 * self.asked}

    def vectors(self) -> dict[str, tuple[int, int]]:
        return {"vpp_main": (10 * self.asked, 250 * self.asked), "vpp_wk_0": (7, 100)}


def test_it_is_sampled_meanwhile() -> None:
    driver = Driver()
    ticks = iter(range(1000))
    with device_load(driver, 0.1, lambda: BEGAN_S + next(ticks)) as load:
        assert driver.enough.wait(30)
    load.over(sent(1000.0))
    assert load.added["device_cpu"] == {"clat": pytest.approx(0.5)}
    assert load.added["device_idle"] == {"clat core 0": pytest.approx(0.25)}
    assert load.added["device_vectors"] == {"vpp_main": 25.0}, "a thread that wasn't called took none"
    asked = driver.asked
    threading.Event().wait(0.05)
    assert driver.asked == asked, "and no longer"


def test_what_the_driver_cannot_tell() -> None:
    with pytest.raises(DeviceError, match="no number"), device_load(driver := Driver(DeviceError("no number")), 0.1):
        assert driver.enough.wait(30)
    with device_load(None, 1.0) as load:
        pass
    load.over(sent())
    assert load.added == {}


def test_how_often() -> None:
    driver = Driver()
    assert [every_s(driver, sending_s) for sending_s in (0.05, 1.0, 60.0, 86_400.0)] == [0.01, 0.1, 1.0, 86.4]
