"""The table in Markdown and its place in docs/accuracy.md."""

from __future__ import annotations

import pytest

from bench.accuracy.cells import COLUMNS, cells
from bench.accuracy.document import BEGIN, END, PAGE, with_table
from bench.accuracy.machine import describe
from bench.accuracy.markdown import page
from bench.accuracy.row import EXACTLY, Row, within
from bench.accuracy.taken import REASONS
from bench.accuracy.whole import GROUPS

ROWS = (
    Row(
        "1 capacity", "R", "fps", 20_000, 19_990.0, within(100, "0.5 % of R"), 12, {"refused": 2, "schedule": 2}, "5 s"
    ),
    Row("2 loss", "lost", "frames", 5, None, EXACTLY, 3, {"refused": 3, "device_held_up": 3}),
)


def test_each_row_has_a_cell_for_each_column() -> None:
    assert cells(ROWS[0]) == ("R", "20,000", "19,990", "-10", "±100", "fps", "ok", "2 of 12: schedule 2")
    assert cells(ROWS[1]) == ("lost", "5", "", "", "exact", "frames", "refused", "3 of 3: device_held_up 3")
    assert len(cells(ROWS[0])) == len(COLUMNS)


def test_page_has_machine_groups_bounds_and_remarks() -> None:
    text = page(ROWS, describe(), "full")
    for wanted in ("### 1 capacity", "### 2 loss", "Bounds: 0.5 % of R.", "Trials: 5 s.", "cores of"):
        assert wanted in text
    assert "no measurement" not in text
    assert "no measurement" in page(ROWS, describe(), "quick")


def test_only_what_is_between_the_markers_changes() -> None:
    before = f"top\n{BEGIN}\nold\n{END}\nbottom\n"
    assert with_table(before, "new\n") == f"top\n{BEGIN}\n\nnew\n\n{END}\nbottom\n"
    with pytest.raises(ValueError, match="markers"):
        with_table("nothing", "new")


def test_the_document_has_the_markers_and_explains_each_group_and_reason() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert with_table(text, "new") != text
    for group in GROUPS:
        assert f"## {group}" in text
    for reason in REASONS:
        assert f"`{reason}`" in text
