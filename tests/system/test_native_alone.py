"""R8219-5.3-3: native IPv6 beside the translated frames, and alone."""

from __future__ import annotations

import re
from pathlib import Path

from tests.system.campaigns import campaign
from tests.system.command import xlatperf
from tests.system.trials import RELAXED
from tests.values import rate_of

DEVICE = 'device.driver = "reference"\n'
SHORT = (
    "frame_sizes = [128]\nduration_s = 0.2\ntimeout_s = 0.1\nsettle_s = 0.01\nlearning_wait_s = 0.01\nrepetitions = 1\n"
)


def test_campaign(tmp_path: Path) -> None:
    """Its frames have one size, that of the IPv6 side, and all delays are theirs."""
    measures = {
        "throughput": "minimum_fps = 2000\nmaximum_fps = 8000\nstop_width_percent = 30\n",
        "frame_loss": "rates_fps = [4000, 2000]\n",
        "latency": "rate_fps = 2000\ntester_alone_s = 0\n",
        "pdv": "rate_fps = 2000\ntester_alone_s = 0\n",
        "ipdv": "rate_fps = 2000\ntester_alone_s = 0\n",
    }
    text = DEVICE + "".join(f'[[measure]]\nprocedure = "{name}"\n{keys}{SHORT}' for name, keys in measures.items())
    technology = '[technology]\nname = "map-e"\n[traffic]\nmix = [[0, 1], [1, 1]]\n'
    made = campaign(tmp_path, f"{text}{technology}{RELAXED}", worse=lambda _: [])
    found = made.results["measurements"]
    assert len(found) == 2 * len(measures)
    for one in found:
        alone = one["mix"] == {"take": 0, "of": 1}
        assert (one["frame_size"]["left"], one["frame_size"]["right"]) == (128, 128 if alone else 88)
        assert one["procedure"] != "throughput" or rate_of(one) >= 2000
        if one["procedure"] == "latency":
            assert {value["quantity"] for value in one["values"]} >= {"TL", "WCL"}
            assert all(value["values"] for value in one["values"])
    assert {(one["traffic_class"], one["hops"]) for one in made.results["learnt"]} == {
        ("foreground", 1),
        ("background", 1),
    }
    page = (made.folder / "report.html").read_text(encoding="utf-8")
    assert "128 bytes of native IPv6 alone" in page
    sentences = re.findall(r"Reference device[^<]* (forwarded|carried) (?:<[^>]*>)*up to ", page)
    assert sorted(sentences) == ["carried", "forwarded"]


def test_several_sizes(tmp_path: Path) -> None:
    """Native frames have each of the sizes in turn, and are told apart from frames of one size."""
    sizes = "frame_sizes = [{ sizes = [84, 594, 1518], weights = [7, 4, 1] }]\nrates_fps = [2000]\n"
    short = SHORT.replace("frame_sizes = [128]\n", sizes)
    text = f'{DEVICE}[[measure]]\nprocedure = "frame_loss"\n{short}'
    technology = '[technology]\nname = "siit"\n[traffic]\nmix = [[0, 1]]\n'
    (one,) = campaign(tmp_path, f"{text}{technology}{RELAXED}", worse=lambda _: []).results["measurements"]
    size = one["frame_size"]
    assert (size["left"], size["right"], size["mixed"]["text"]) == (374, 374, "7x84+4x594+1x1518")
    assert [(share["left"], share["right"], share["frames"]) for share in size["mixed"]["shares"]] == [
        (84, 84, 7),
        (594, 594, 4),
        (1518, 1518, 1),
    ]


def test_check(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(
        f'{DEVICE}[technology]\nname = "map-e"\n[traffic]\nmix = [[0, 1]]\n{RELAXED}', encoding="utf-8"
    )
    ended = xlatperf("check", "b.toml", "--timeout", "0.1", folder=tmp_path, timeout_s=60)
    assert ended.code == 0, ended.output
    assert "foreground" not in ended.output.partition("not tried: ")[0]
    assert "not tried: they are foreground, of which traffic.mix has none:" in ended.output
    assert "104 > 104" in ended.output
    ended = xlatperf("check", "b.toml", "--all", folder=tmp_path, timeout_s=60)
    assert ended.code == 2, ended.output
    assert "--all: the rules are of foreground, of which traffic.mix has none" in ended.output
