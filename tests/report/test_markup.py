"""Escaping, tables, numbers."""

from __future__ import annotations

import pytest

from xlatperf.keys.in_words import plural
from xlatperf.report import numerals
from xlatperf.report.markup import Markup, bullets, element, render
from xlatperf.report.table import Column, table, text


def test_text_is_escaped_and_markup_is_not() -> None:
    assert element("p", 'a < b & "c"', Markup("<b>x</b>")) == "<p>a &lt; b &amp; &quot;c&quot;<b>x</b></p>"
    assert element("a", class_='"><script>', data_run="<") == '<a class="&quot;&gt;&lt;script&gt;" data-run="&lt;"></a>'
    assert element("br") == "<br>"
    assert element("details", open=True, id=None) == "<details open></details>"
    assert render(["a", None, ["<"]]) == "a&lt;"
    assert bullets([]) == ""


def test_columns_know_their_cells() -> None:
    columns: list[Column[int]] = [
        Column("Rate", lambda line: f"{line:,}", "frames/s", "Group"),
        text("Who", lambda line: f"<{line}>"),
    ]
    shown = table(columns, [1000], tone=lambda _: "invalid", data=lambda _: {"run": "<"})
    assert '<th colspan="1" scope="colgroup" class="group">Group</th>' in shown
    assert '<tr class="invalid" data-run="&lt;"><td class="n">1,000</td><td>&lt;1000&gt;</td></tr>' in shown
    assert table([columns[0].through(len)], ["four"]).count('<td class="n">4</td>') == 1


def test_why_there_are_no_values_takes_the_place_of_all_of_them() -> None:
    def half(line: int) -> str:
        return str(line // 2)

    number: list[Column[int]] = [Column("Number", str)]
    halves: list[Column[int]] = [Column("Half", half), text("", half)]
    shown = table(number, [3, 4], halves, why_not=lambda line: "odd" if line % 2 else None)
    assert '<td class="n">3</td><td colspan="2" class="wide rest">odd</td></tr>' in shown
    assert '<td class="n">4</td><td class="n">2</td><td>2</td></tr>' in shown


def test_rates_show_what_rounding_hides() -> None:
    assert numerals.rate(103_412.0) == "103,412"
    assert numerals.rate(103_412.5) == '<span title="103412.5 frames per second">103,412</span>'
    assert "0.125" in numerals.rate(0.125)
    assert numerals.rate(None) == numerals.NONE


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0"), (12.345, "12.35"), (0.0004, "0.00040"), (0.000012, "0.000012"), (3e-9, "3.0e-09"), (100.0, "100.00")],
)
def test_small_loss_never_looks_like_none(value: float, shown: str) -> None:
    assert numerals.percent(value) == shown


def test_times() -> None:
    assert numerals.micro(1_234_567) == "1,234.567"
    assert numerals.milli(1_234_567) == "1.235"
    assert numerals.seconds(2.0) == "2"
    assert numerals.seconds(2.5) == "2.5"
    assert plural(1, "search", "searches") == "1 search"
    assert plural(1000, "search", "searches") == "1,000 searches"
