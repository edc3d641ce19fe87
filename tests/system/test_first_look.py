"""R8219-5.1-1: a campaign on a border relay that can't do one of two domains says so before it measures."""

from __future__ import annotations

from pathlib import Path

from tests.system.campaigns import campaign

BENCH = """
device = { driver = "reference", domains = [0] }
[technology]
name = "map-e"
domains = [
  { ipv6 = "2001:2:0:2000::/51", ipv4 = "198.18.0.0/24", ea_bits = 13, br = "2001:2:0:c000::1", ces = 40 },
  { ipv6 = "2001:2:0:4000::/51", ipv4 = "198.18.1.0/24", ea_bits = 13, br = "2001:2:0:c000::1", ces = 40 },
]
[[measure]]
procedure = "frame_loss"
frame_sizes = [104]
rates_fps = [1000]
duration_s = 0.2
timeout_s = 0.3
settle_s = 0.05
learning_wait_s = 0.05
repetitions = 1
"""
WHO = "all of technology.domains[1], and no others: the DUT doesn't have this rule, or can't do it"


def test_a_domain_is_missing(tmp_path: Path) -> None:
    seen = campaign(tmp_path, BENCH)
    found = [one for one in seen.results["first_look_findings"] if one["reason"] == "lost"]
    assert [one["direction"] for one in found] == ["forward", "reverse"]
    for one in found:
        assert WHO in one["meaning"]
        assert "(for instance frame " in one["meaning"]
        assert f"The first frames: {one['direction']} foreground: {one['count']} of 1000 frames lost" in " ".join(
            seen.output.split()
        )
    assert WHO.replace("'", "&#x27;") in (seen.folder / "report.html").read_text(encoding="utf-8")
