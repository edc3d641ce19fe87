"""The Tester's limit: how it is searched, and which of several is used."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from math import inf

import pytest

from tests.report.frames_campaign import selftest as entry
from tests.simulated_dut import answer, capacity
from xlatperf.config.load import parse_bench
from xlatperf.devices.device import Attachment, Plan
from xlatperf.devices.linux import Linux
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.procedures.trial_request import TrialRequest
from xlatperf.run.selftest import Choice, enough_for, limit_for
from xlatperf.run.session import describe_bench, plan_for, port_remark
from xlatperf.run.tester_limit import TrialAt, find_limit, second_look

BENCH = 'technology.name = "siit"\ndevice.driver = "linux"\ntester.port_driver = "auto"\ntester.cores = [{}]'


def limited(limit_fps: float, holds_fps: float) -> TrialAt:
    """Above `limit_fps` no trial is valid; above `holds_fps` every third one."""
    trials: list[float] = []

    def trial(rate: float, duration_s: float) -> TrialAnswer:
        trials.append(rate)
        lucky = rate <= holds_fps or len(trials) % 3 == 0
        reasons = () if rate <= limit_fps and lucky else ("sent_less",)
        return TrialAnswer.model_validate(answer(TrialRequest(84, "ipv6", rate, duration_s), capacity(1e9), reasons))

    return trial


def test_a_steady_limit_is_found_to_10_percent() -> None:
    found = find_limit(limited(260_000.0, 260_000.0), 0.3)
    assert 230_000 <= found.fps <= 260_000
    assert found.reason is not None
    assert "sent_less" in found.reason


def test_a_rate_that_holds_only_now_and_then_is_not_the_limit() -> None:
    """A search that starts at the limit would find an invalid trial in two of three tries."""
    assert 190_000 <= find_limit(limited(260_000.0, 210_000.0), 0.3).fps <= 210_000


def test_a_rate_that_cannot_be_sent_by_far_is_tried_once() -> None:
    """The search begins where it is told; what is sent by half is no stall."""
    rates: list[float] = []

    def trial(rate: float, duration_s: float) -> TrialAnswer:
        rates.append(rate)
        reasons = ("sent_less",) if rate > 130_000 else ()
        made = answer(TrialRequest(84, "ipv6", rate, duration_s), capacity(1e9), reasons)
        for name in ("forward", "reverse"):
            made[name]["sent"] = min(made[name]["sent"], round(130_000 * duration_s))
        return TrialAnswer.model_validate(made)

    assert 115_000 <= find_limit(trial, 0.3, 100_000.0).fps <= 130_000
    assert rates[:4] == [100_000, 200_000, 400_000, 150_000]


@pytest.mark.parametrize(
    ("limit_fps", "holds_fps", "ceiling_fps", "found"),
    [
        (1e9, 1e9, 148_809.5, (148_809.5, 148_809.5)),  # 100 Mbit/s with 64 bytes: the line carries no more
        (1e9, 1e9, 30_000.0, (30_000.0, 30_000.0)),
        (1e9, 140_000.0, 148_809.5, (134_300.0, None)),  # now and then only: 5 % less, and 5 % less
        (1e9, 1e9, 400_000.0, (400_000.0, 400_000.0)),
    ],
)
def test_line_rate(limit_fps: float, holds_fps: float, ceiling_fps: float, found: tuple[float, float | None]) -> None:
    """Nothing above the line's rate is tried; if that holds, the Tester's limit isn't known, and limits nothing."""
    start = min(50_000.0, ceiling_fps)
    limit = find_limit(limited(limit_fps, holds_fps), 0.3, start, ceiling_fps)
    assert (limit.fps, limit.ceiling) == found


def stalled(limit_fps: float, until: int) -> tuple[TrialAt, list[float]]:
    """The host holds the Tester up in the first trials: then nothing above 40,000 fps holds."""
    rates: list[float] = []

    def trial(rate: float, duration_s: float) -> TrialAnswer:
        rates.append(rate)
        reasons = ("schedule",) if rate > (limit_fps if len(rates) > until else 40_000.0) else ()
        return TrialAnswer.model_validate(answer(TrialRequest(84, "ipv6", rate, duration_s), capacity(1e9), reasons))

    return trial, rates


@pytest.mark.parametrize(("ceiling_fps", "found"), [(50e6, (1_100_000, 1_350_000)), (600_000.0, (600_000, 600_000))])
def test_a_stall_of_the_host_is_no_limit(ceiling_fps: float, found: tuple[float, float]) -> None:
    """The ports did 1.35 million fps, and the self-test found 40,000."""
    trial, rates = stalled(1_350_000.0, 10**6)
    first = find_limit(trial, 0.3, ceiling_fps=ceiling_fps)
    assert 35_000 <= first.fps <= 40_000
    assert second_look(trial, 0.3, first, ceiling_fps) == first, "it still lasts"
    trial, rates = stalled(1_350_000.0, 0)
    assert found[0] <= second_look(trial, 0.3, first, ceiling_fps).fps <= found[1]
    assert rates[0] == 1.25 * first.fps


def test_a_second_look_at_a_limit_is_short() -> None:
    trial, rates = stalled(260_000.0, 0)
    limit = find_limit(trial, 0.3)
    del rates[:]
    assert second_look(trial, 0.3, limit) == limit
    assert rates == [1.25 * limit.fps] * 3
    ceiling = find_limit(trial, 0.3, ceiling_fps=100_000.0)
    del rates[:]
    assert second_look(trial, 0.3, ceiling, 100_000.0) == ceiling
    assert not rates, "there is no higher rate"


def test_line_rate_fails() -> None:
    limit = find_limit(limited(120_000.0, 120_000.0), 0.3, 50_000.0, 148_809.5)
    assert 110_000 <= limit.fps <= 120_000
    assert limit.ceiling is None


def test_the_ports_limit_counts_where_it_is_known() -> None:
    ports = entry(84, 230_000.0).model_copy(update={"over": "ports", "driver": "net_af_packet"})
    assert limit_for([ports, entry(84)], Choice(84, "bidirectional")) == 230_000
    assert limit_for([entry(84)], Choice(84, "bidirectional")) == 1_204_000
    assert limit_for([ports], Choice(256, "bidirectional")) is None
    unlimited = entry(84).model_copy(update={"ceiling_fps": 50e6})
    assert limit_for([unlimited], Choice(84, "bidirectional")) is None


THROUGHPUT = 'procedure = "throughput", frame_sizes = [84]'


@pytest.mark.parametrize(
    ("measures", "enough_fps"),
    [
        ([f"{THROUGHPUT}, maximum_fps = 60000"], 240_000.0),
        ([f"{THROUGHPUT}, maximum_fps = 60000", 'procedure = "latency", frame_sizes = [84]'], 240_000.0),
        ([f"{THROUGHPUT}, maximum_fps = 60000", 'procedure = "pdv", frame_sizes = [84], rate_fps = 100000'], 400_000.0),
        ([f"{THROUGHPUT}, maximum_fps = 60000", 'procedure = "frame_loss", frame_sizes = [84]'], inf),
        (['procedure = "frame_loss", frame_sizes = [84], rates_fps = [1000, 30000]'], 120_000.0),
        ([f"{THROUGHPUT}, maximum_fps = 1000"], 50_000.0),  # where the search begins
        ([THROUGHPUT], inf),  # all that the media carries
        ([], inf),
    ],
)
def test_a_campaign_needs_no_limit_far_above_what_it_asks_for(measures: list[str], enough_fps: float) -> None:
    rows = ", ".join(f"{{ {measure} }}" for measure in measures)
    assert enough_for(parse_bench(f'technology.name = "siit"\nmeasure = [{rows}]', "b")) == enough_fps


@pytest.mark.parametrize(
    ("measure", "enough_fps"),
    [
        ('procedure = "establishment", maximum_fps = 20000', 80_000.0),
        ('procedure = "teardown", establish_fps = 30000', 120_000.0),
        ('procedure = "throughput", maximum_fps = 20000, establish_fps = 30000', 120_000.0),  # phase 1 is faster
    ],
)
def test_phase_1_asks_for_rates_too(measure: str, enough_fps: float) -> None:
    of = f'technology.name = "nat44"\nmeasure = [{{ {measure}, frame_sizes = [84], connections = [100] }}]'
    assert enough_for(parse_bench(of, "b")) == enough_fps


def joined(_: Linux, plan: Plan) -> AbstractContextManager[Attachment]:
    return nullcontext(Attachment(f"net_{plan.port_driver}0", f"net_{plan.port_driver}1"))


@pytest.mark.usefixtures("fake_engine")
def test_auto_falls_back_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine of this test refuses af_xdp, as one on a kernel without it does."""
    monkeypatch.setattr(Linux, "cable", joined)
    able = parse_bench(BENCH.format(60), "b")
    assert port_remark(able) is None
    assert plan_for(able, describe_bench(able)).port_driver == "af_xdp"
    monkeypatch.setenv("FAKE_REFUSES", "net_af_xdp")
    unable = parse_bench(BENCH.format(61), "b")
    assert port_remark(unable) == "ports: af_packet, as af_xdp can't be used here: open: net_af_xdp0 is refused"
    assert plan_for(unable, describe_bench(unable)).port_driver == "af_packet"
    told = parse_bench(BENCH.format(61).replace("auto", "af_xdp"), "b")
    assert plan_for(told, describe_bench(told)).port_driver == "af_xdp"
