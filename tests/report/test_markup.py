"""Escaping, tables, numbers."""

from __future__ import annotations

import pytest

from xlatperf.keys.in_words import plural
from xlatperf.report import numerals
from xlatperf.report.markup import Markup, bullets, element, render
from xlatperf.report.table import Column, Row, table, text


def test_text_is_escaped_and_markup_is_not() -> None:
    assert element("p", 'a < b & "c"', Markup("<b>x</b>")) == "<p>a &lt; b &amp; &quot;c&quot;<b>x</b></p>"
    assert element("a", class_='"><script>', data_run="<") == '<a class="&quot;&gt;&lt;script&gt;" data-run="&lt;"></a>'
    assert element("br") == "<br>"
    assert element("details", open=True, id=None) == "<details open></details>"
    assert render(["a", None, ["<"]]) == "a&lt;"
    assert bullets([]) == ""


def test_table() -> None:
    shown = table(
        [Column("Rate", "frames/s", "Group"), text("Who")], [Row(["1", "<me>"], tone="invalid", data={"run": "<"})]
    )
    assert '<th colspan="1" scope="colgroup" class="group">Group</th>' in shown
    assert '<tr class="invalid" data-run="&lt;"><td class="n">1</td><td>&lt;me&gt;</td></tr>' in shown
    with pytest.raises(ValueError, match="1 cells for 2 columns"):
        table([Column("a"), Column("b")], [Row(["1"])])


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
