"""Which device of a dual DUT limits, by what each does alone (R8219-4.2-2)."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from tests.report.comparison import three_campaigns as three
from xlatperf.procedures.quantity import Bound
from xlatperf.report.comparison import dual_section
from xlatperf.report.comparison.dual import Dual, Verdict, busy, dual, expected, verdicts
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
    assert [(one.narrower, one.by_rate, one.by_processor) for one in through] == [("PLAT", "PLAT", "PLAT")] * 2
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


def test_a_core_of_its_own_that_is_not_busy_says_nothing(tmp_path: Path) -> None:
    """A virtual machine takes more of a core for a frame than a process that is slow on purpose."""
    other = three.dual(cpu={"clat": 0.7, "plat": 0.5})
    said, known = conclusion(tmp_path, None, a=other, b=three.plat(), c=three.clat())
    through = [one for one in known if one.row.kind.procedure == "throughput"]
    assert [(one.narrower, one.by_rate, one.by_processor) for one in through] == [("PLAT", "PLAT", None)] * 2
    assert "The PLAT limits." in said
    assert "the slower one of both, by what each forwards alone." in said


def test_processor_time_that_limited_nothing(tmp_path: Path) -> None:
    """Of a core that was idle most of the time no device took the most, whatever the others' share."""
    said, known = conclusion(tmp_path, three.CORES, a=three.dual(cpu={"clat": 0.04, "plat": 0.03}), x=three.dual())
    assert {one.by_processor for one in known} == {None}
    assert "These measurements don't tell which device limits." in said


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
    slow = three.clat((50_000.0, 50_100.0), "tester")
    _, known = conclusion(tmp_path, three.CORES, a=three.dual(), b=three.plat(), c=slow)
    assert {one.by_rate for one in known} == {None}
    assert {one.narrower for one in known} == {"PLAT"}


def test_what_would_tell(tmp_path: Path) -> None:
    """Not more of the same where one wasn't measured, or where a rate that was asked for was the limit."""
    even = {"clat": 0.5, "plat": 0.52}
    for name in ("1", "2"):
        (tmp_path / name).mkdir()
    said, _ = conclusion(tmp_path / "1", None, a=three.dual(cpu=even), b=three.plat())
    assert "What the CLAT does alone isn't among the campaigns." in said
    assert "To be expected:" not in said
    alike = three.plat((70_000.0, 105_000.0))
    said, _ = conclusion(tmp_path / "2", None, a=three.dual(cpu=even, limited_by="maximum"), b=alike, c=three.clat())
    assert "No rate of both is their own limit: see what limited, below (highest rate asked)." in said


def test_nothing_is_expected_that_is_measured(tmp_path: Path) -> None:
    """A bound below what both together do says nothing."""
    slow = three.clat((5_000.0, 5_100.0), "maximum")
    said, known = conclusion(tmp_path, {"clat.cores": "0", "plat.cores": "2"}, a=three.dual(), b=three.plat(), c=slow)
    assert [one.alone["CLAT"] for one in known if one.row.kind.procedure == "throughput"] == [5_050.0] * 2
    assert "≥\N{NO-BREAK SPACE}5" in said, "the CLAT's own"
    assert said.count("≥\N{NO-BREAK SPACE}5,0") == sum("CLAT" in one.alone for one in known)


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


@pytest.mark.parametrize(
    ("cores", "shared", "apart", "wanted"),
    [
        ({"CLAT.tayga.cores": "0", "CLAT.cores": "the kernel works", "PLAT.reference.cores": "0"}, "0", True, 41_300.0),
        ({"CLAT.tayga.cores": "0", "PLAT.reference.cores": "2"}, "", True, 70_500.0),
        ({"CLAT.tayga.cores": "0", "PLAT.reference.cores": "0, 2"}, "", False, None),
        ({}, "", False, None),
    ],
)
def test_two_drivers_in_a_row(
    cores: dict[str, str], shared: str, apart: bool, wanted: float | None, tmp_path: Path
) -> None:
    """Both by one driver: which campaign is whose follows from the side that has IPv6. Which core, from the facts."""
    one = {"driver": "reference"}
    pair = {"driver": "in-a-row", "names": ["CLAT", "PLAT"], "devices": [one, one]}
    used = {"CLAT tayga": 0.4, "CLAT machine": 0.2, "PLAT reference": 0.55}
    found = {"a": three.dual(cpu=used, device=pair), "b": three.plat(device=one), "c": three.clat(device=one)}
    said, known = conclusion(tmp_path, cores, **found)
    (tmp_path / "again").mkdir()
    known_dual = dual(three.together(tmp_path / "again", cores, **found))
    assert known_dual is not None
    assert (known_dual.both, dict(known_dual.alone)) == (0, {"CLAT": 2, "PLAT": 1})
    assert (known_dual.one_core, known_dual.apart) == (shared, apart)
    through = [verdict for verdict in known if verdict.row.kind.procedure == "throughput"]
    assert [verdict.cpu for verdict in through] == [{"CLAT": 0.4, "PLAT": 0.55}] * 2
    assert {verdict.narrower for verdict in through} == {"PLAT"}
    assert "The PLAT limits." in said
    told = expected(known_dual, {part: (rate, "") for part, rate in through[0].alone.items()})
    assert (told and told[0]) == (None if wanted is None else pytest.approx(wanted, rel=0.01))
    assert ("isn't known on which cores" in said) == (wanted is None)


def test_expected() -> None:
    """On one core the times for a frame add up; on two the slower device gives the rate."""
    on_one, apart = (Dual(("CLAT", "PLAT"), 0, {}, core) for core in ("0", ""))
    assert expected(on_one, {"CLAT": (100.0, ""), "PLAT": (100.0, "")}) == (50.0, "")
    assert expected(apart, {"CLAT": (100.0, ""), "PLAT": (60.0, "")}) == (60.0, "")
    assert expected(apart, {"CLAT": (100.0, "")}) is None
    unknown = replace(apart, apart=False)
    assert expected(unknown, {"CLAT": (100.0, ""), "PLAT": (60.0, "")}) is None, "nobody knows who shares one"


def test_expected_of_bounds() -> None:
    """What is at least so fast can make both slower, unless the other one is known to be slower still."""
    on_one, apart = (Dual(("CLAT", "PLAT"), 0, {}, core) for core in ("0", ""))
    faster: tuple[float, Bound] = (100.0, ">=")
    slower: tuple[float, Bound] = (60.0, "")
    slower_at_least: tuple[float, Bound] = (60.0, ">=")
    assert expected(apart, {"CLAT": faster, "PLAT": slower}) == (60.0, "")
    assert expected(apart, {"CLAT": (100.0, ""), "PLAT": slower_at_least}) == (60.0, ">=")
    assert expected(apart, {"CLAT": faster, "PLAT": slower_at_least}) == (60.0, ">=")
    assert expected(on_one, {"CLAT": faster, "PLAT": slower}) == (37.5, ">=")
    assert expected(apart, {"CLAT": (100.0, "~"), "PLAT": slower}) == (60.0, "~")


def test_pollers(tmp_path: Path) -> None:
    """What takes all there is of a core whatever comes: neither its share nor what is left of it says anything."""
    one = {"driver": "reference"}
    pair = {"driver": "in-a-row", "names": ["CLAT", "PLAT"], "devices": [one, one]}
    used = {"CLAT reference": 0.62, "PLAT reference": 0.38}
    cores = {"CLAT.reference.cores": "0", "PLAT.reference.cores": "0", "PLAT.polls": "it does", "CLAT.polls": "it does"}
    said, known = conclusion(
        tmp_path, cores, a=three.dual(cpu=used, device=pair), b=three.plat(device=one), c=three.clat(device=one)
    )
    through = [verdict for verdict in known if verdict.row.kind.procedure == "throughput"]
    assert [(verdict.by_processor, verdict.by_rate) for verdict in through] == [(None, "PLAT")] * 2
    assert "CLAT and PLAT take all there is of a core, whatever comes" in said
    assert "of that the" not in said
    assert "The PLAT limits. It is the slower one of both, by what each forwards alone." in said.replace(
        "</strong>", ""
    )
    assert "What is to be expected of devices that poll on one core, 0, isn't known." in said
    assert "nothing of it is left" not in said
    assert "though no core was busy" not in said


def test_no_dual_device(tmp_path: Path) -> None:
    campaigns = three.together(tmp_path, a=three.plat(), b=three.clat())
    assert dual(campaigns) is None
    assert dual_section.section(campaigns, rows(campaigns)) is None
