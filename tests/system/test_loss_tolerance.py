"""A device that loses one frame of 499, and a campaign that bears it: in phase 1, in the validation, in phase 2."""

from __future__ import annotations

from pathlib import Path

from tests.system.campaigns import campaign
from tests.system.trials import RELAXED

COUNT, RATE_FPS, EVERY = 1000, 4000, 499
_ALL = f"""
connections = [{COUNT}]
frame_sizes = [64]
minimum_fps = {RATE_FPS}
maximum_fps = {RATE_FPS}
repetitions = 1
timeout_s = 0.1
settle_s = 0
learning_wait_s = 0
retries = 5
loss_tolerance.forward = 0.005
"""
BENCH = f"""
technology = {{ name = "nat44", pool = {{ first = "198.19.0.1" }} }}
device = {{ driver = "reference", impair.forward.drop.every = {EVERY} }}
{RELAXED}
[[measure]]
procedure = "establishment"
{_ALL}
[[measure]]
procedure = "establishment"
alpha = 0.5
{_ALL}
[[measure]]
procedure = "throughput"
duration_s = 0.25
establish_fps = 2000
phase_1_loss_tolerance = 0.005
{_ALL}
"""


def test_what_a_campaign_bears(tmp_path: Path) -> None:
    """R9693-4.4-2: without it, phase 1 "lost 2 of 1,000", and nothing was measured; with it each result says so."""
    made = campaign(tmp_path, BENCH)
    results = made.results
    plain, validated, throughput = results["measurements"]
    for item in (plain, validated, throughput):
        assert item["repetitions"][0]["search"]["lower_fps"] == RATE_FPS
        assert item["loss_tolerance"]["forward"] == 0.005
        assert "with a loss tolerance" in item["standard"]
    assert throughput["parameters"]["phase_1_loss_tolerance"] == 0.005
    assert {one["section"] for one in results["deviations"]} >= {
        "RFC 2544 §26.1",
        "RFC 9693 §4.4",
        "RFC 9693 §4.5, §4.6",
    }
    for item in (validated, throughput):
        trial = next(one for one in results["trials"] if one["number"] == item["repetitions"][0]["final_trial"])
        first = trial["experiment"]["first_phase"]["forward"]
        assert first["sent"] == COUNT
        assert COUNT // EVERY <= first["loss"] <= 0.005 * COUNT
        assert trial["reverse"]["loss"] == 0, "each connection was there"
    assert "not the rate of RFC 9693" in (made.folder / "report.html").read_text(encoding="utf-8")
