"""`python -m bench.speed`: that it measures and compares, not how fast anything is (the machine may be busy)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bench.speed import hugepages, yardsticks
from bench.speed.__main__ import load, main
from bench.speed.case import Case
from bench.speed.document import PAGE, part
from bench.speed.measured import Measured, as_document, ratio, within
from bench.speed.rows import LOOPBACK, SENDING, TESTPMD_LOOP, Row, all_rows, chosen
from bench.speed.table import COLUMNS, cells
from bench.speed.tester import speed
from xlatperf.config.request import ALL_FOREGROUND, configure_message
from xlatperf.technologies.registry import BY_NAME


def measured(name: str, cycles: list[float | None], of: str | None = None, at_most: float | None = None) -> Measured:
    return Measured(Row(name, Case("siit"), of, at_most), cycles)


def test_ratios_are_of_the_best_rounds_and_within_rounds() -> None:
    ours, other = measured("ours", [60.0, 30.0, None, 44.0], "other", 1.5), measured("other", [40.0, 10.0, 5.0, 22.0])
    found = ratio(ours, other)
    assert found is not None
    assert found.best == 30.0 / 5.0
    assert found.median == 2.0, "the rounds give 1.5, 3 and 2"
    assert within(ours, found) is False
    assert as_document(ours, {"other": other})["within"] is False


def test_what_took_no_part_has_no_ratio() -> None:
    absent, other = measured("absent", [None, None], "other", 1.0), measured("other", [1.0, 2.0])
    document = as_document(absent, {"other": other})
    assert document["ratio"] is None
    assert document["within"] is None
    assert cells(document, 1e9)[1] == "not measured"
    assert len(cells(document, 1e9)) == len(cells(as_document(other, {}), 1e9)) == len(COLUMNS)


def test_rows_are_compared_with_rows_above() -> None:
    rows = all_rows()
    names = [row.name for row in rows]
    assert len(set(names)) == len(names)
    for i, row in enumerate(rows):
        assert row.of is None or row.of in {SENDING, LOOPBACK, *names[:i]}
        assert row.at_most is None or row.of is not None


def test_every_row_is_compared_with_the_plain_loop_and_testpmd() -> None:
    """Those that do the same."""
    for row in all_rows():
        if isinstance(row.what, Case):
            sends = row.what.place == "sending"
            assert row.plain_loop == (SENDING if sends else LOOPBACK)
            assert row.testpmd == ("testpmd, txonly" if sends else "testpmd, flowgen")
        elif row.what.name == "testpmd":
            assert row.compared_with == [SENDING if row.what.role == "txonly" else LOOPBACK]
        else:
            assert row.compared_with == []
    rows = {LOOPBACK: measured(LOOPBACK, [10.0, 20.0]), TESTPMD_LOOP: measured(TESTPMD_LOOP, [20.0, 40.0])}
    document = as_document(measured("ours", [30.0, 20.0]), rows)
    assert document["plain_loop"] == {"best": 2.0, "median": 2.0}
    assert document["testpmd"] == {"best": 1.0, "median": 1.0}
    assert cells(document, 1e9)[4:7] == ["2.00 (2.00)", "1.00 (1.00)", ""]


def test_targets() -> None:
    """Of each technology that has one: with hugepages, and 1.5 times as much without."""
    targets = {row.name: row.at_most for row in all_rows() if row.at_most is not None}
    assert targets["SIIT, sending"] == 1.15
    assert targets["SIIT, loopback"] == 1.6
    assert targets["MAP-E, loopback, 1 M CEs"] == targets["NAT66, phase 2, 1 M connections"] == 1.5
    assert targets["Lw4o6, loopback, 1 M softwires"] == 1.3
    assert targets["NAT44, phase 2, 16 M connections"] == 2.0
    assert targets["SIIT, loopback, no hugepages"] == pytest.approx(2.4)


def test_chosen_rows_bring_what_they_are_compared_with() -> None:
    assert [row.name for row in chosen(["map-e, loopback, 1 m"])] == [
        LOOPBACK,
        "testpmd, flowgen",
        "SIIT, loopback",
        "MAP-E, loopback, 1 M CEs",
        "MAP-E, loopback, 1 M CEs, no hugepages",
    ]
    assert chosen(["nothing of the kind"]) == []


def test_every_case_is_a_bench_file_that_the_engine_can_be_asked_for() -> None:
    for row in all_rows():
        if isinstance(row.what, Case):
            bench = row.what.bench(0)
            assert configure_message(bench, ALL_FOREGROUND, loopback=True)["technology"]["name"] == row.what.technology


def test_every_technology_has_a_row() -> None:
    assert {row.what.technology for row in all_rows() if isinstance(row.what, Case)} == set(BY_NAME)


def test_the_engine_verifies_all_frames() -> None:
    """The real engine, both places, one of each kind of row."""
    for case in (
        Case("siit", "sending", hugepages=False),
        Case("siit", networks=256, hugepages=False),
        Case("map-e", subscribers=1000, frame_size=104, hugepages=False),
        Case("nat44", connections=1000, both_directions=True, hugepages=False),
    ):
        found = speed(case, 0)
        assert found.verified, case
        assert found.cycles_per_frame > 1, case


@pytest.mark.alone
def test_plain_loop_counts_what_it_sent() -> None:
    subprocess.run(["ninja", "-C", "build", "bench/plain-loop"], check=True, capture_output=True, timeout=120)
    assert yardsticks.cycles_per_frame(yardsticks.PLAIN_LOOPBACK, 0, 0, hugepages=False) > 1
    with pytest.raises(yardsticks.YardstickFailed, match="plain-loop loop: "):
        yardsticks.cycles_per_frame(yardsticks.Yardstick("plain-loop", "loop", "net_nothing0"), 0, 0, hugepages=False)


def test_users_errors(capsys: pytest.CaptureFixture[str]) -> None:
    for given, said in (
        (["--rounds", "0"], "--rounds: 0 is not allowed: 1 or more"),
        (["--document", "SIIT"], "--document: not with some rows alone"),
    ):
        with pytest.raises(SystemExit):
            main(given)
        assert said in capsys.readouterr().err
    assert main(["no such row"]) == 2
    assert "no row has such a name" in capsys.readouterr().out


def test_an_earlier_run(tmp_path: Path) -> None:
    assert load(tmp_path / "none.json") == {}
    path = tmp_path / "some.json"
    path.write_text(json.dumps({"rows": [{"name": "SIIT", "best": 1.0}]}), encoding="utf-8")
    assert load(path)["SIIT"]["best"] == 1.0
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(ValueError, match=r"some\.json: it isn't what `make bench` writes"):
        load(path)


def test_hugepages_are_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hugepages, "POOL", tmp_path)
    number, free = tmp_path / "nr_hugepages", tmp_path / "free_hugepages"
    number.write_text("100\n", encoding="utf-8")
    free.write_text("20\n", encoding="utf-8")
    with hugepages.reserved() as enough:
        assert number.read_text(encoding="utf-8") == str(80 + hugepages.WANTED), "as many as are used, and those wanted"
        assert not enough, "here nobody makes them free"
    assert number.read_text(encoding="utf-8") == "100\n"


def test_page_has_the_marks_and_the_table_a_line_for_each_row() -> None:
    text = PAGE.text()
    assert PAGE.begin in text
    assert PAGE.end in text
    rows: list[dict[str, Any]] = [as_document(measured("one", [1.0]), {}), as_document(measured("two", [2.0]), {})]
    lines = part("Measured somewhere.", rows, 2e9).splitlines()
    assert lines[0] == "Measured somewhere."
    assert lines[-2:] == ["| one | 1.0 | 1.0 | 2000.0 |  |  |  |  |  |", "| two | 2.0 | 2.0 | 1000.0 |  |  |  |  |  |"]
