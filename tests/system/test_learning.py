"""R2473-3.1: how often a tunnel's end decrements the TTL is learnt from the reference device, and then required."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.campaigns import campaign
from tests.system.command import xlatperf
from tests.system.gateway import MAP, SIDES
from tests.system.trials import RELAXED, clean, counters, valid_trial
from xlatperf.commands.check_learning import learnt_bench
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.devices.reference import ReferenceDevice
from xlatperf.run.session import session

TIMEOUT_S = 0.2
TUNNELS = {name.split()[1]: table for name, table in MAP.items() if name.startswith("map-e")}
ENTRY, EXIT, OUTER = 0, 3, 71
DEVICE = f"entry_hops = {ENTRY}\nexit_hops = {EXIT}\nhop_limit = {OUTER}"
MEASURE = """
[[measure]]
procedure = "throughput"
frame_sizes = [104]
repetitions = 1
duration_s = 0.3
maximum_fps = 500
stop_width_fps = 250
timeout_s = 0.2
settle_s = 0
learning_wait_s = 0
"""


def text(table: str, device: str = "", traffic: str = "") -> str:
    return (
        f'[device]\ndriver = "reference"\n{device}\n[technology]\n{table}\n[traffic]\nmix = [[1, 2]]\n{traffic}\n'
        f"{RELAXED}{MEASURE}"
    )


def encapsulated(role: str) -> str:
    return "reverse" if role == "br" else "forward"


def test_learnt_then_required(tmp_path: Path) -> None:
    """In front of the tunnel never, behind it thrice; native frames once. Then all frames are right."""
    role = "ce"
    made = campaign(tmp_path, text(TUNNELS[role], DEVICE))
    found = {(one.direction, one.traffic_class): (one.hops, one.outer_hop_limit) for one in made.model.learnt}
    expected: dict[tuple[str, str], tuple[int, int | None]] = {(name, "background"): (1, None) for name in SIDES}
    for name in SIDES:
        tunnel = name == encapsulated(role)
        expected[name, "foreground"] = (ENTRY, OUTER) if tunnel else (EXIT, None)
    assert found == expected
    assert f"{encapsulated(role)}, foreground: hop limit or TTL is decremented by 0" in made.output


@pytest.mark.parametrize("role", TUNNELS)
def test_a_device_that_changes_its_mind(role: str) -> None:
    """What was learnt is required: of the frames that then differ, each is wrong."""
    bench = parse_bench(text(TUNNELS[role], DEVICE), "b")
    with session(bench) as running:
        assert isinstance(running.device, ReferenceDevice)
        learnt, _ = learnt_bench(bench, running, TIMEOUT_S)
        running.engine.configure(configure_message(learnt, (1, 1)))
        order = {"hop_limit": {"every": 10}}
        running.device.request({"request": "impair", "forward": order, "reverse": order})
        answer = valid_trial(running.engine, bench, frame_size=128, rate_fps=500, duration_s=0.2)
        for name in SIDES:
            assert counters(answer[name]["foreground"]) == clean(100, expected=90, hop_limit=10)


def test_frames_that_disagree() -> None:
    """R2473-6.3: no hop limit is learnt from frames that have several; what is supposed stays required."""
    bench = parse_bench(text(TUNNELS["br"]), "b")
    with session(bench) as running:
        assert isinstance(running.device, ReferenceDevice)
        running.device.request(
            {
                "request": "impair",
                "forward": {"hop_limit": {"every": 3}},
                "reverse": {"corrupt": [{"every": 3, "what": "outer_hop_limit"}]},
            }
        )
        learnt, found = learnt_bench(bench, running, TIMEOUT_S)
        untold = {one.direction: one.untold for one in found if one.traffic_class == "foreground"}
        assert untold == dict.fromkeys(SIDES, "it isn't the same in all frames")
        assert learnt.traffic.hops_of("forward", "foreground") == 1


def test_check_says_what_it_learnt(tmp_path: Path) -> None:
    (tmp_path / "bench.toml").write_text(text(TUNNELS["br"], DEVICE))
    ended = xlatperf("check", "bench.toml", "--duration", "0.1", "--timeout", "1", folder=tmp_path)
    assert ended.code == 0, ended.output
    assert "learnt: forward, foreground: hop limit or TTL is decremented by 3" in ended.output
    assert (
        "learnt: reverse, foreground: hop limit or TTL is decremented by 0, the outer hop limit is 71: the DUT does "
        "not decrement it" in ended.output
    )


def test_translators_may_be_learnt_too() -> None:
    """RFC 7915 §4.1, §5.1: one hop each way, from a device that is asked instead of told."""
    bench = parse_bench(text('name = "siit"', traffic='hops = "learn"'), "b")
    with session(bench) as running:
        _, found = learnt_bench(bench, running, TIMEOUT_S)
        assert [(one.hops, one.outer_hop_limit, one.untold) for one in found] == [(1, None, None)] * 4


def test_show_says_what_is_supposed(tmp_path: Path) -> None:
    """Until there was a frame to learn from."""
    for role, traffic, line in (
        ("br", "", "Supposed until the first frames tell: hops 1, outer hop limit 64\n"),
        ("ce", "hops = 1", "Supposed until the first frames tell: outer hop limit 64\n"),
    ):
        (tmp_path / "bench.toml").write_text(text(TUNNELS[role], traffic=traffic))
        assert line in xlatperf("show", "bench.toml", folder=tmp_path).output
