"""One table says what is counted: what follows from it for Python and docs/ is as the engine has it."""

from __future__ import annotations

import pytest

from docs import counters as script
from xlatperf.engine import counters

ROWS = script.rows()
TOLD = "run: python -m docs.counters"


def test_the_module_is_up_to_date() -> None:
    assert script.formatted(script.module(ROWS)) == script.MODULE.read_text(encoding="utf-8"), TOLD


@pytest.mark.parametrize("kind", script.PAGES)
def test_the_tables_are_up_to_date(kind: str) -> None:
    page = script.PAGES[kind]
    assert page.with_part(script.table(kind, ROWS[kind])) == page.text(), TOLD


def test_each_kind_has_rows_with_known_units() -> None:
    assert all(ROWS[kind] for kind in script.PAGES)
    assert {row.unit for rows in ROWS.values() for row in rows} == {"frames", "times", "ns"}
    assert counters.REASONS["mapping_changed"].section == "RFC 4787 §4.1, RFC 6146 §3.5.1"
