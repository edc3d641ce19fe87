"""report.html: what is in it, that it loads nothing, and that nothing from outside becomes HTML."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.report import changed, environments, frames_campaign
from xlatperf.procedures.frame_loss import LOSS
from xlatperf.report import html
from xlatperf.report.evidence import Evidence
from xlatperf.results.results import Results
from xlatperf.results.value_records import RepetitionValue, ValueSeries

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;"
_LOADING = {"src", "srcset", "data", "poster", "background", "action", "formaction", "ping"}
_EMPTY = {"meta", "br", "input"}


class Page(HTMLParser):
    """Tags, what they would load, the visible text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.loads: list[str] = []
        self.visible = ""
        self.styles = ""
        self._open: list[str] = []
        self.feed(text)
        assert self._open == [], f"not closed: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.loads += [f"{tag} {name}={value}" for name, value in attrs if name in _LOADING]
        links = [value or "" for name, value in attrs if name == "href"]
        self.loads += [f"{tag} {link}" for link in links if not link.startswith("#")]
        if tag not in _EMPTY:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self._open:
            self.styles += data
        elif "script" not in self._open:
            self.visible += data + " "


def written(
    results: Results, folder: Path, *, environment: bool = True, engine: dict[str, object] | None = None
) -> Page:
    if environment:
        known = {**environments.ENVIRONMENT, "engine": {**environments.ENVIRONMENT["engine"], **(engine or {})}}
        (folder / "environment.json").write_text(json.dumps(known), encoding="utf-8")
    path = html.write(results, folder)
    assert path == folder / "report.html"
    page = Page(path.read_text(encoding="utf-8"))
    page.visible = " ".join(page.visible.split())
    return page


def test_numbers(tmp_path: Path) -> None:
    """R8219-12-1, R8219-5.1-1, R4814-1: RFC 8219 §12: N, median, percentiles; §5.1: sizes of both sides, media,
    theoretical maximum.
    """
    page = written(frames_campaign.results(), tmp_path)
    assert "TAYGA 0.9.2 translated up to 102,832 frames per second per direction at 84/64 bytes" in page.visible
    assert "without loss, found by N complete binary searches." in page.visible
    assert "without loss (median of 3 searches, from 101,278 to 104,387)" in page.visible
    for number in ("12,019,231", "205,664", "10,000 Mbit/s", "3.02", "1,204,000", "412.672", "1,999,999,000.1 Hz"):
        assert number in page.visible
    assert "2026-11-20 14:05 UTC" in page.visible
    assert "lab-7, Example CPU E5-0000 @ 2.00GHz" in page.visible
    assert "RFC 2544 §24" in page.visible
    assert "destination_ports" in page.visible, "the traffic, as the bench file has it"
    assert "not the latency of RFC 8219" in page.visible
    assert "map 198.18.0.0/16 2001:2::/112" in page.visible
    assert "TAYGA 0.9.2 refused the one kind of frames that it must not forward." in page.visible


def test_order(tmp_path: Path) -> None:
    page = written(frames_campaign.results(), tmp_path)
    sections = [attributes["id"] for tag, attributes in page.tags if tag == "section"]
    assert sections == [
        "summary",
        "throughput",
        "frame-loss",
        "delays",
        "negative",
        "findings",
        "trust",
        "trials",
        "environment",
        "deviations",
        "bench",
        "definitions",
    ]


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ({"nice": -5}, "Nice value of the workers -5"),
        ({"nice": 0}, "0: this user may not set -5"),
        ({}, "Nice value of the workers unknown"),
        ({}, "Senders and receivers unknown"),
        (
            {"roles": [{"core": 1, "does": ["left sender", "left receiver"]}, {"core": 2, "does": ["right sender"]}]},
            "Senders and receivers core 1: left sender, left receiver; core 2: right sender Nice",
        ),
    ],
)
def test_what_is_said_of_the_workers(engine: dict[str, object], said: str, tmp_path: Path) -> None:
    """Where the Tester couldn't have the precedence that it asked for, its users must know."""
    bench = frames_campaign.bench(tester={**frames_campaign.bench()["tester"], "nice": -5})
    page = written(frames_campaign.results().model_copy(update={"bench": bench}), tmp_path, engine=engine)
    assert said in page.visible


def test_offline(tmp_path: Path) -> None:
    """The page loads nothing: no source, no foreign link, no import in the style."""
    page = written(frames_campaign.results(), tmp_path)
    assert page.loads == []
    assert "url(" not in page.styles
    assert "@import" not in page.styles
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert len(re.findall(r"<script\b", text)) == len(re.findall(r"</script>", text))
    assert text.count("plotly.js v") == 1


def test_hostile_text(tmp_path: Path) -> None:
    """Whatever comes from files, frames or devices stays text."""
    bench = frames_campaign.bench(device={"driver": "manual", "description": HOSTILE})
    trials = [frames_campaign.trial(0, run=HOSTILE, valid=False), frames_campaign.trial(1)]
    measurement = changed.frames((1.0, 2.0))
    measurement = measurement.model_copy(
        update={"measure": HOSTILE, "series": HOSTILE, "failures": (changed.failure(HOSTILE),)}
    )
    finding = next(one for one in frames_campaign.results().findings if one.example is not None)
    assert finding.example is not None
    sample = finding.example.model_copy(update={"received": HOSTILE, "text": HOSTILE})
    finding = finding.model_copy(update={"reason": HOSTILE, "meaning": HOSTILE, "example": sample})
    results = frames_campaign.results(
        title=HOSTILE,
        bench=bench,
        trials=trials,
        findings=(finding,),
        tester_limits=(HOSTILE,),
        measurements=(measurement, frames_campaign.measured("frame_loss").model_copy(update={"measure": HOSTILE})),
    )
    environment = {"device": {HOSTILE: HOSTILE}, HOSTILE: {"a": [{HOSTILE: 1}]}}
    (tmp_path / "environment.json").write_text(json.dumps(environment))
    (tmp_path / "bench.toml").write_text(HOSTILE)
    page = written(results, tmp_path, environment=False)
    assert not [tag for tag, _ in page.tags if tag == "img"]
    assert page.loads == []
    assert "<script>alert" not in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert HOSTILE in page.visible


def test_nothing_measured(tmp_path: Path) -> None:
    results = frames_campaign.results(
        measurements=(),
        trials=(),
        findings=(),
        deviations=(),
        selftest=(),
        tester_limits=(),
        bench={},
        technology={},
        complete=False,
    )
    page = written(results, tmp_path, environment=False)
    assert "Nothing was measured" in page.visible
    assert "Incomplete." in page.visible
    assert "No self-test." in page.visible
    assert "plotly.js v" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_sweep_that_had_no_trial_there_is_not_counted(tmp_path: Path) -> None:
    """What is said of a rate was measured at that rate."""
    item = frames_campaign.measured("frame_loss")
    twice = item.model_copy(
        update={
            "values": tuple(
                one.model_copy(update={"values": (*one.values, *(again(value, one) for value in one.values))})
                for one in item.values
            )
        }
    )
    page = written(frames_campaign.results(measurements=(twice,)), tmp_path)
    assert "none up to 100,000 frames per second per direction" in page.visible
    assert "(1 of 2 sweeps)" in page.visible


def again(value: RepetitionValue, of: ValueSeries) -> RepetitionValue:
    """The second sweep, by a Tester that was held up at 100,000 frames/s."""
    held_up = of.rate_fps == 100_000 and of.quantity == LOSS.name
    changed = {"value": None, "remark": "the Tester could not do this rate: a stall"} if held_up else {}
    return value.model_copy(update={"repetition": 2, **changed})


def test_only_frame_loss(tmp_path: Path) -> None:
    page = written(frames_campaign.results(measurements=(frames_campaign.measured("frame_loss"),)), tmp_path)
    assert "Frame loss at 84/64 bytes: none up to 100,000 frames per second per direction" in page.visible
    assert "; 42.50 % forward, 25.50 % reverse at 180,000 (1 sweep)" in page.visible
    assert "the Tester could not do this rate: left sent 301,204 of 400,000 frames" in page.visible
    assert not [tag for tag, attributes in page.tags if attributes.get("id") in ("throughput", "plot-rate")]
    assert [tag for tag, attributes in page.tags if attributes.get("id") == "plot-loss-rate"] == ["div"]


def test_frame_loss_up_to_the_maximum_has_one_plot(tmp_path: Path) -> None:
    """RFC 2544 §26.3: 0 to 100 % of the maximum."""
    page = written(
        frames_campaign.results(
            measurements=(frames_campaign.measured("frame_loss").model_copy(update={"theoretical_maximum_fps": None}),)
        ),
        tmp_path,
    )
    assert not [tag for tag, attributes in page.tags if attributes.get("id") == "plot-loss-rate"]
    assert "the highest rate asked for" in page.visible


def test_loss_without_a_valid_point(tmp_path: Path) -> None:
    loss = changed.losses(None)
    page = written(frames_campaign.results(measurements=(loss,)), tmp_path)
    assert "no rate could be measured" in page.visible


def test_single_search_says_so(tmp_path: Path) -> None:
    page = written(frames_campaign.results(measurements=(changed.frames((102_832.0,)),)), tmp_path)
    assert "(a single search, N = 1: nothing is known about the spread)" in page.visible
    assert "N = 1: one only" in page.visible
    assert "median of 1" not in page.visible


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("tester", "The Tester could not do more: the device's limit is this or higher."),
        ("maximum", "That was the highest rate asked for: the device's limit is this or higher."),
    ],
)
def test_not_the_devices_limit(tmp_path: Path, limit: str, said: str) -> None:
    measurement = changed.frames((1_000_000.0, 1_000_000.0), limited_by=limit)
    page = written(frames_campaign.results(measurements=(measurement,)), tmp_path)
    assert said in page.visible
    assert "≥ 1,000,000" in page.visible


def test_sometimes_the_testers_limit(tmp_path: Path) -> None:
    measurement = changed.frames((1000.0, 1100.0, 1200.0))
    first = measurement.repetitions[0].model_copy(update={"limited_by": "tester"})
    measurement = measurement.model_copy(update={"repetitions": (first, *measurement.repetitions[1:])})
    page = written(frames_campaign.results(measurements=(measurement,)), tmp_path)
    assert "In 1 of 3 the Tester was the limit, not the device." in page.visible
    assert "DUT 2, Tester 1" in page.visible


def test_nothing_passed(tmp_path: Path) -> None:
    page = written(
        frames_campaign.results(
            measurements=(
                changed.frames((0.0, 0.0), limited_by="minimum"),
                changed.frames((), size=128),
            )
        ),
        tmp_path,
    )
    assert "did not pass even the lowest rate of 1,000 frames per second" in page.visible
    assert "Most often, 1,234 times in all trials: the frame has another source or destination address" in page.visible
    assert "No throughput at 128/108 bytes, in both directions at once: the DUT does not answer." in page.visible


def test_loss_tolerance_is_not_throughput(tmp_path: Path) -> None:
    """RFC 2544 §26.1: no frame may be lost."""
    measurement = changed.frames((1000.0, 1100.0))
    for tolerance, said in (
        ({"forward": 0.005, "reverse": 0.005}, "with at most 0.5 % loss (not RFC 2544 throughput)"),
        ({"forward": 0.01, "reverse": 0.0}, "with at most 1 % forward loss (not RFC 2544 throughput)"),
    ):
        tolerant = measurement.model_copy(update={"loss_tolerance": tolerance})
        assert said in written(frames_campaign.results(measurements=(tolerant,)), tmp_path).visible


def test_invalid_trials(tmp_path: Path) -> None:
    page = written(frames_campaign.results(), tmp_path)
    assert "20 of 175 trials are invalid by the Tester's own verdict" in page.visible
    assert "left sent 301,204 of 400,000 frames" in page.visible
    assert "sent_less 20 200,000 left sent" in page.visible
    only = frames_campaign.results(trials=(frames_campaign.trial(0, valid=False),), measurements=())
    assert "No valid trial has sent frames." in written(only, tmp_path).visible


def test_one_direction_with_background(tmp_path: Path) -> None:
    trials = [frames_campaign.trial(4, mix=(5, 10), reverse=False)]
    measurement = changed.frames((1000.0,), mix=(5, 10), direction="forward")
    page = written(frames_campaign.results(trials=trials, measurements=(measurement,)), tmp_path)
    assert "with 50 % native IPv6 in the mix, left to right" in page.visible
    assert "background" in page.visible
    # 1000 frames/s of 84 bytes left; half of 64 and half of 84 bytes right
    assert "0.672" in page.visible
    assert "0.592" in page.visible


def test_native_and_one_trial(tmp_path: Path) -> None:
    results = frames_campaign.results(
        technology={"name": "native", "family": "ipv4"},
        trials=(frames_campaign.trial(0, 10.0),),
        bench=frames_campaign.bench(device={"driver": "linux"}),
        findings=(),
    )
    page = written(results, tmp_path)
    assert "Linux 6.18.0 forwarded up to" in page.visible
    assert "The one trial is valid." in page.visible
    assert "Nothing. Every frame that came back was exactly as the standards say." in page.visible


def test_change_between_sessions(tmp_path: Path) -> None:
    sessions = [
        *environments.ENVIRONMENT["sessions"],
        {"started": "2026-11-21T08:00:00+00:00", "changed": ["host.kernel: '6.18.0' -> '6.18.1'"]},
    ]
    evidence = Evidence(frames_campaign.results(), {**environments.ENVIRONMENT, "sessions": sessions})
    assert "host.kernel: '6.18.0' -> '6.18.1'" in Page(html.page(evidence)).visible


def test_many_results_are_not_all_in_the_summary(tmp_path: Path) -> None:
    measurements = tuple(changed.frames((1000.0, 1010.0), size=84 + 10 * index) for index in range(20))
    assert (
        "14 more results of throughput are in the tables below."
        in written(frames_campaign.results(measurements=measurements), tmp_path).visible
    )


@pytest.mark.parametrize("content", ["", "[]", "{", "\udcff"])
def test_broken_environment(tmp_path: Path, content: str) -> None:
    (tmp_path / "environment.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    assert "not recorded" in written(frames_campaign.results(), tmp_path, environment=False).visible


def test_written_as_a_whole(tmp_path: Path) -> None:
    """Nothing but the report is left in the folder."""
    html.write(frames_campaign.results(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_whose_limit_the_self_test_found(tmp_path: Path) -> None:
    """Over the ports in use, or in memory only: then the ports' own limit is unknown, and what is known is said."""
    page = written(frames_campaign.results(), tmp_path)
    assert "The limit of the ports in use is not known" in page.visible
    assert "they took up to 180,000 frames/s per direction in time" in page.visible
    ports = frames_campaign.selftest(84, 340_000.0).model_copy(update={"over": "ports", "driver": "net_af_xdp"})
    page = written(frames_campaign.results(selftest=(ports, frames_campaign.selftest(84))), tmp_path)
    assert "net_af_xdp, the ports in use" in page.visible
    assert "Tester alone over net_af_xdp, 10 % of its limit" in page.visible
    assert "is not known" not in page.visible
