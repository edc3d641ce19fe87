"""What the report says of a device's load: CPU use, idle cores, vectors; and which part limits."""

from __future__ import annotations

from pathlib import Path

from tests.report import connections_campaign
from tests.report.test_connections import written
from xlatperf.engine.trial_answer import IdleSample
from xlatperf.results.results import Measurement


def test_which_device_limits(tmp_path: Path) -> None:
    """464XLAT: the CPU use of each device beside the rates."""
    page = written(connections_campaign.results(), tmp_path)
    assert "establishment 84 forward → 4,000 61,787 0.98 0.41 clat busy" in page.visible
    assert "61,787 per second: clat limits (clat 0.98, plat 0.41)." in page.visible
    assert "clat and plat have no time left (clat 0.99, plat 0.97)" in page.visible
    assert "no part is busy all the time (clat 0.50, plat 0.30)" in page.visible


def test_which_device_limits_is_not_said(tmp_path: Path) -> None:
    """Where the DUT was no limit, where a core was full although no part took all of it, and of devices that poll."""
    found = connections_campaign.results()
    idle_one = next(item for item in found.measurements if item.device_cpu == {"clat": 0.5, "plat": 0.3})

    def shown(item: Measurement, facts: dict[str, str]) -> str:
        (tmp_path / str(len(list(tmp_path.iterdir())))).mkdir()
        folder = sorted(tmp_path.iterdir())[-1]
        return written(found.model_copy(update={"measurements": (item,)}), folder, {"device": facts}).visible

    full = shown(idle_one.model_copy(update={"device_idle": {"clat 0": 0.0, "plat 1": 0.5}}), {})
    assert "no time is left on clat 0 (clat 0.50, plat 0.30; idle: clat 0 0 %, plat 1 50 %)." in full
    assert "something else limits" not in full
    asked = [one.model_copy(update={"limited_by": "maximum"}) for one in idle_one.repetitions]
    bound = shown(idle_one.model_copy(update={"repetitions": tuple(asked)}), {})
    assert "something else limits" not in bound
    polls = shown(idle_one.model_copy(update={"device_idle": {"clat 0": 0.0}}), {"polls": "it does"})
    assert "clat and plat take all there is of a core while frames arrive" in polls
    assert "clat 0: never idle while frames arrive, as the device polls" in polls
    assert "something else" not in polls
    assert "A core without idle time limits" not in polls
    in_a_row = {"CE reference": 0.5, "BR tayga": 0.3}
    one_polls = shown(idle_one.model_copy(update={"device_cpu": in_a_row}), {"CE.polls": "it does"})
    assert "CE reference takes all there is of a core while frames arrive" in one_polls


def test_how_idle_the_cores_were(tmp_path: Path) -> None:
    """Of both devices: table, plot of a trial, what limits, CSV."""
    found = connections_campaign.results()
    (first, *others) = found.measurements
    number = first.repetitions[0].final_trial
    idle = {"clat core 0": 0.02, "plat core 1": 0.555}
    samples = tuple(IdleSample(from_s=at_s, to_s=at_s + 1.0, idle=idle) for at_s in (0.0, 1.0))
    page = written(
        found.model_copy(
            update={
                "measurements": (first.model_copy(update={"device_idle": idle}), *others),
                "trials": tuple(
                    one.model_copy(update={"core_idle": samples}) if one.number == number else one
                    for one in found.trials
                ),
            }
        ),
        tmp_path,
    )
    assert "How idle the device's cores were" in page.visible
    assert f": trial {number}, " in page.visible
    assert "Drawn: one trial of each measurement." in page.visible
    assert "clat limits (clat 0.98, plat 0.41; idle: clat core 0 2 %, plat core 1 56 %)." in page.visible
    without = written(connections_campaign.results(), tmp_path)
    assert "How idle the device's cores were" not in without.visible


def test_how_full_the_vectors_were(tmp_path: Path) -> None:
    """Of a device that polls: in place of its processor time."""
    found = connections_campaign.results()
    (first, *others) = found.measurements
    vectors = {"vpp_wk_0 core 1": 12.34, "vpp_wk_1 core 2": 255.0}
    told = first.model_copy(update={"device_vectors": vectors})
    page = written(found.model_copy(update={"measurements": (told, *others)}), tmp_path)
    assert "How full the device's vectors were" in page.visible
    assert "12.3 255.0" in page.visible
    assert "How full the device's vectors were" not in written(found, tmp_path).visible
