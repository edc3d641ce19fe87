"""What is said to differ between campaigns."""

from __future__ import annotations

import copy
from pathlib import Path

from tests.report import environments, frames_campaign
from tests.report.comparison import three_campaigns as three
from xlatperf.report.comparison.campaign import campaigns
from xlatperf.report.comparison.campaigns_section import not_the_same, warnings
from xlatperf.report.comparison.differences import MISSING, of_bench_files, of_environments


def test_keys_of_bench_files(tmp_path: Path) -> None:
    longer = [
        {"procedure": "latency", "duration_s": 60, "tags": 500},
        {"procedure": "throughput", "duration_s": 60, "timeout_s": 0.3, "repetitions": 2},
    ]
    found = three.together(tmp_path, a=three.clat(), b=three.clat(measure=longer))  # type: ignore[arg-type]
    assert [(one.place, one.values) for one in of_bench_files(found)] == [
        ("measure.throughput.duration_s", ("0.5", "60")),
        ("measure.latency", (MISSING, "there")),
    ]
    assert not_the_same(found) == ["Duration of trials, s"]


def test_a_missing_table_is_one_difference(tmp_path: Path) -> None:
    space = {"connections": {"clients": {"first": "10.0.0.2"}}}
    other = {"connections": {"clients": {"first": "10.0.0.3"}}}
    found = three.together(
        tmp_path, a=three.dual(traffic=space), b=three.dual(traffic=other), c=three.dual(traffic={"hops": 3})
    )
    assert [(one.place, one.values) for one in of_bench_files(found)] == [
        ("traffic.connections", ("there", "there", MISSING)),
        ("traffic.connections.clients.first", ("10.0.0.2", "10.0.0.3", MISSING)),
        ("traffic.hops", (MISSING, MISSING, "3")),
    ]


def test_host_and_versions(tmp_path: Path) -> None:
    elsewhere = copy.deepcopy(environments.ENVIRONMENT)
    elsewhere["host"]["kernel"] = "6.19.0"
    elsewhere["engine"]["clock"]["hz"] = 1.0
    elsewhere["device"]["tayga"] = "0.9.3"
    one, other = three.clat(), three.clat()
    found = campaigns(
        [(three.folder(tmp_path / "a", one), one), (three.folder(tmp_path / "b", other, elsewhere), other)]
    )
    assert [one.place for one in of_environments(found)] == ["host.kernel", "device.tayga"]
    assert not_the_same(found) == ["Kernel"]
    assert of_bench_files(found) == []


def test_nothing_recorded(tmp_path: Path) -> None:
    """A folder with nothing but results."""
    one = three.clat()
    (tmp_path / "a").mkdir()
    found = campaigns([(tmp_path / "a", one), (three.folder(tmp_path / "b", one), one)])
    assert "Host" in not_the_same(found)
    assert of_environments(found)


def test_warnings(tmp_path: Path) -> None:
    """A Tester that failed more often than not, and hosts that are not the same."""
    elsewhere = copy.deepcopy(environments.ENVIRONMENT)
    elsewhere["host"]["name"] = "lab-8"
    invalid = three.clat().model_copy(update={"trials": (frames_campaign.trial(0, valid=False),)})
    one = three.clat()
    found = campaigns(
        [(three.folder(tmp_path / "a", one), one), (three.folder(tmp_path / "b", invalid, elsewhere), invalid)]
    )
    host, noise = warnings(found)
    assert "Not the same in all: </strong>host." in host
    assert "In B most trials are invalid" in noise
    assert warnings(found[:1]) == []
