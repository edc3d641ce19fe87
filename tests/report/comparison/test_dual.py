"""Which device of a dual DUT limits, by what each does alone (R8219-4.2-2)."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest

from tests.report.comparison import three_campaigns as three
from xlatperf.report.comparison import dual_section
from xlatperf.report.comparison.dual import Verdict, busy, dual, expected, verdicts
from xlatperf.report.comparison.rows import rows
from xlatperf.results.results import Results


def conclusion(path: Path, cores: dict[str, str] | None, **found: Results) -> tuple[str, list[Verdict]]:
    campaigns = three.together(path, cores, **found)
    lines = rows(campaigns)
    known = dual(campaigns)
    assert known is not None
    section = dual_section.section(campaigns, lines)
    assert section is not None
    return unescape(section.body), verdicts(known, lines)


def test_devices_of_the_user_s_own(tmp_path: Path) -> None:
    """What a campaign is of follows from its technology, not from who set the devices up."""
    for name in ("1", "2", "3"):
        (tmp_path / name).mkdir()
    of_driver, known = conclusion(tmp_path / "1", None, a=three.dual(), b=three.plat(), c=three.clat())
    own, same = conclusion(tmp_path / "2", None, a=three.dual(driver="manual"), b=three.plat(), c=three.clat())
    assert [(one.narrower, one.by_rate) for one in same] == [(one.narrower, one.by_rate) for one in known]
    assert own == of_driver
    nat44 = three.results("nft-nat44", three.NAT44, [])
    assert dual(three.together(tmp_path / "3", a=nat44, b=three.plat(), c=three.clat())) is None


def test_rates_and_processor_time_agree(tmp_path: Path) -> None:
    said, known = conclusion(tmp_path, three.CORES, a=three.dual(), b=three.plat(), c=three.clat())
    through = [one for one in known if one.row.kind.procedure == "throughput"]
    assert [(one.narrower, one.by_rate, one.by_processor) for one in through] == [("plat", "plat", "plat")] * 2
    assert "The PLAT limits." in said
    assert "share core 0" in said
    assert "CPU use CLAT 0.40 and PLAT 0.55, together 0.95 cores, 58 % of that the PLAT" in said
    assert "PLAT alone 70,500" in said


def test_the_rates_asked_for_are_no_limit(tmp_path: Path) -> None:
    """A search that ended at its highest rate says nothing about the device."""
    said, known = conclusion(tmp_path, None, a=three.dual(limited_by="maximum"), b=three.plat(), c=three.clat())
    assert {one.limited_elsewhere for one in known} == {"highest rate asked"}
    assert "nothing here has found the limit of both together" in said


def test_contradiction(tmp_path: Path) -> None:
    said, known = conclusion(
        tmp_path, None, a=three.dual(cpu={"clat": 0.9, "plat": 0.5}), b=three.plat(), c=three.clat()
    )
    assert [one.contradict for one in known if one.row.kind.procedure == "throughput"] == [True, True]
    assert "don't tell which device limits" in said


def test_overlapping_ranges_tell_nothing(tmp_path: Path) -> None:
    even = {"clat": 0.5, "plat": 0.52}
    said, known = conclusion(
        tmp_path,
        None,
        a=three.dual(cpu=even),
        b=three.plat((70_000.0, 80_000.0)),
        c=three.clat((79_000.0, 90_000.0)),
    )
    assert {one.narrower for one in known} == {None}
    assert "can't be told apart" in said


def test_a_shared_core_with_nothing_left(tmp_path: Path) -> None:
    """Two devices that need about as much of the same core: neither limits more than the other."""
    even = {"clat": 0.5, "plat": 0.52}
    one = three.dual(cpu=even)
    said, _ = conclusion(tmp_path, three.CORES, a=one, b=three.plat((70_000.0, 105_000.0)), c=three.clat())
    assert "Core 0 limits, which CLAT and PLAT share: nothing of it is left." in said
    assert "Both need about as much of it for a frame." in said


def test_the_lower_rate_must_be_a_limit(tmp_path: Path) -> None:
    """If the Tester kept the CLAT from being faster, its rate says nothing."""
    _, known = conclusion(tmp_path, None, a=three.dual(), b=three.plat(), c=three.clat((50_000.0, 50_100.0), "tester"))
    assert {one.by_rate for one in known} == {None}
    assert {one.narrower for one in known} == {"plat"}


def test_alone_without_the_single_devices(tmp_path: Path) -> None:
    """Processor time alone also says something."""
    said, known = conclusion(tmp_path, three.CORES, a=three.dual(), x=three.dual())
    assert {one.by_rate for one in known} == {None}
    assert "The PLAT limits." in said


def test_idle_cores_are_pointed_out(tmp_path: Path) -> None:
    idle = three.dual(cpu={"clat": 0.2, "plat": 0.3})
    said, _ = conclusion(tmp_path, three.CORES, a=idle, b=three.plat(), c=three.clat())
    assert "no core was busy all the time" in said


@pytest.mark.parametrize(("cores", "one_core"), [(three.CORES, "0"), ({"clat.cores": "0", "plat.cores": "2"}, "")])
def test_cores(tmp_path: Path, cores: dict[str, str], one_core: str) -> None:
    campaigns = three.together(tmp_path, cores, a=three.dual())
    known = dual(campaigns)
    assert known is not None
    assert known.one_core == one_core
    assert busy(known, verdicts(known, rows(campaigns))[0]) is bool(one_core)  # 0.4 + 0.55 of one core; of two, neither


def test_expected() -> None:
    """On one core the times for a frame add up; on two the slower device gives the rate."""
    assert expected("0", {"clat": 100.0, "plat": 100.0}) == 50.0
    assert expected("", {"clat": 100.0, "plat": 60.0}) == 60.0
    assert expected("", {"clat": 100.0}) is None


def test_no_dual_device(tmp_path: Path) -> None:
    campaigns = three.together(tmp_path, a=three.plat(), b=three.clat())
    assert dual(campaigns) is None
    assert dual_section.section(campaigns, rows(campaigns)) is None
