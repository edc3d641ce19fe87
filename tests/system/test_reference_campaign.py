"""`xlatperf run` on the reference device: what was ordered is what results.json says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.long import by_length, more
from tests.system.campaigns import campaign
from tests.system.trials import RELAXED

QUICK = """
timeout_s = 0.2
settle_s = 0
learning_wait_s = 0
retries = 5
"""
BENCH = f"""
technology.name = "siit"
[device]
driver = "reference"
[device.impair.forward]
drop.every = 1000
[device.impair.reverse]
drop.every = 500
{RELAXED}
[[measure]]
procedure = "frame_loss"
frame_sizes = [84]
rates_fps = [5000, 10000]
duration_s = 1
{QUICK}"""


def lost_by_chance(results: dict[str, Any], **every: int | None) -> list[float]:
    """What trials lost beyond every so many frames of a direction, which the device was told to drop."""
    return [
        beyond
        for trial in results["trials"]
        if trial["valid"]
        for name, number in every.items()
        if (beyond := trial[name]["foreground"]["lost"] - (trial[name]["sent"] // number if number else 0)) > 0
    ]


def test_frame_loss_is_what_was_ordered(tmp_path: Path) -> None:
    """R2544-26.3, R8219-7.4: every 1000th frame dropped is 0.1 % exactly, every 500th 0.2 %, per direction."""
    results = campaign(tmp_path, BENCH, worse=lambda found: lost_by_chance(found, forward=1000, reverse=500)).results
    (sweep,) = results["measurements"]
    losses = [one for one in sweep["values"] if one["quantity"] == "frame loss rate"]
    assert [(one["rate_fps"], one["direction"]) for one in losses] == [
        (rate_fps, name) for rate_fps in (10_000, 5000) for name in ("forward", "reverse")
    ]
    for loss in losses:
        (value,) = loss["values"]
        lost = {"forward": 0.1, "reverse": 0.2}[loss["direction"]]
        assert value["value"] == pytest.approx(lost, rel=1e-9), value["remark"]
        trial = next(one for one in results["trials"] if one["number"] == value["trial"])
        frames = round(loss["rate_fps"])
        assert (trial["forward"]["sent"], trial["forward"]["loss"]) == (frames, frames // 1000)
        assert (trial["reverse"]["sent"], trial["reverse"]["loss"]) == (frames, frames // 500)


SOAK_INTERVALS = by_length(3, 1800)
"""Whole ones, of a second each; half of one follows."""
SOAK = f"""
technology.name = "siit"
[device]
driver = "reference"
[device.impair.forward]
drop.every = 100
[device.impair.reverse]
untranslated.every = 500
{RELAXED}
[[measure]]
procedure = "soak"
rate_fps = 2000
duration_s = {SOAK_INTERVALS}.5
interval_s = 1
{QUICK}"""


@more
@pytest.mark.timeout(by_length(120, 4000))
def test_soak_is_what_was_ordered(tmp_path: Path) -> None:
    """Of each interval exactly what the device was told to do wrong in it, by reason."""
    made = campaign(
        tmp_path,
        SOAK,
        worse=lambda found: lost_by_chance(found, forward=100, reverse=None),
        wrong=True,
        timeout_s=by_length(90, 3600),
    )
    results = made.results
    (soak,) = results["measurements"]
    found = {(one["quantity"], one["direction"]): one["values"][0]["value"] for one in soak["values"]}
    assert [found["loss", name] for name in ("forward", "reverse")] == pytest.approx([1, 0.2])
    assert [found["loss of the worst interval", name] for name in ("forward", "reverse")] == pytest.approx([1, 0.2])
    trial = results["trials"][-1]
    for name, lost, wrong in (("forward", 20, {}), ("reverse", 0, {"untranslated": 4})):
        told = trial[name]["intervals"]
        assert [one["sent"] for one in told] == [2000] * SOAK_INTERVALS + [1000]
        assert [(one["lost"], one["wrong"]) for one in told[:-1]] == [(lost, wrong)] * SOAK_INTERVALS
        assert all(one["expected"] == one["sent"] - one["lost"] - sum(one["wrong"].values()) for one in told)
        assert sum(one["delay"]["count"] for one in told) == trial[name]["foreground"]["delay"]["count"]
    loads = [trial["device_cpu"], *(one["cores"] for one in trial["device_load"])]
    assert len(loads) > 2
    assert all(0 < one["reference"] < 1.05 for one in loads), "its one thread has no more than a core, by any clock"
    report = (made.folder / "report.html").read_text()
    assert report.count("plot-soak-0") > 0
    assert "4 untranslated" in report


RESET = f"""
technology.name = "siit"
device.driver = "reference"
{RELAXED}
[[measure]]
procedure = "reset"
rate_fps = 2000
duration_s = 3
event_at_s = 0.5
frame_sizes = [84]
repetitions = 2
timeout_s = 0.1
settle_s = 0
learning_wait_s = 0
"""


def test_memif_connects_again_when_the_device_is_restarted(tmp_path: Path) -> None:
    """R6201-4: in the same trial, and the next one runs over the new connection."""
    results = campaign(tmp_path, RESET).results
    assert len(results["trials"]) == 2
    for trial in results["trials"]:
        assert {reason["code"] for reason in trial["reasons"]} >= {"link_down"}
        for direction in ("forward", "reverse"):
            frames = trial[direction]
            assert frames["longest_gap"]["after"] < frames["sent"] - 1, "it forwards again"
    assert [one["no_result"] for one in results["measurements"][0]["repetitions"]] == [None, None]
