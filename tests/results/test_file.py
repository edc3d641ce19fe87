"""results.json is what was written, or it's said that it isn't."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.simulated_campaign import campaign
from tests.simulated_dut import SimulatedTester, capacity
from xlatperf.results.file import ResultsChanged, read_results, results_text
from xlatperf.results.results import Results

BENCH = """
technology = { name = "native", family = "ipv6" }
measure = [{ procedure = "frame_loss", frame_sizes = [84], maximum_fps = 100000, rates_fps = [50000], duration_s = 1 }]
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return campaign(tmp_path_factory.mktemp("results"), SimulatedTester(capacity(33_333)), BENCH)


@pytest.fixture(scope="module")
def text(results: Results) -> str:
    return results_text(results)


def unsummed(text: str) -> dict[str, object]:
    """As older versions wrote it."""
    document: dict[str, object] = json.loads(text)
    del document["sum"]
    return document


def test_as_it_was_written(results: Results, text: str) -> None:
    assert read_results(text) == results
    assert read_results(text.replace("\n", "\r\n")) == results, "as some programs write it that change nothing"
    assert read_results(json.dumps(unsummed(text))) == results


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        (r'"sent": \d+', '"sent": 1'),
        (r'"loss_percent": [\d.]+', '"loss_percent": 0.5'),
        (r'"title": ".*"', '"title": "another"'),
        (r'"complete": true', '"complete": false'),
        (r'"sum": ".{16}"', '"sum": "0123456789abcdef"'),
        (r'"sum": ".{16}"', '"sum": 1'),
        (r"\n\}\n\Z", ' "more": 1}\n'),
        (r'\A\{\n "\$schema"', '{\n  "$schema"'),
    ],
)
def test_something_was_changed(text: str, was: str, becomes: str) -> None:
    changed, count = re.subn(was, becomes, text, count=1)
    assert count == 1
    assert changed != text
    with pytest.raises(ValueError, match=r"changed|delimiter"):
        read_results(changed)


@pytest.mark.parametrize(("name", "value"), [("offered_fps", 99_959.0), ("sent", 60_000), ("intended", 7)])
def test_what_can_not_be(text: str, name: str, value: float) -> None:
    """Also without a checksum."""
    document = json.loads(text)
    del document["sum"]
    document["trials"][0]["forward"][name] = value
    with pytest.raises(ResultsChanged, match=rf"trial {document['trials'][0]['number']} can't be: forward "):
        read_results(json.dumps(document))


def test_the_schema_knows_the_checksum(results: Results, tmp_path: Path) -> None:
    campaign(tmp_path, SimulatedTester(capacity(33_333)), BENCH)
    schema = json.loads((tmp_path / "results.schema.json").read_text(encoding="utf-8"))
    assert set(json.loads(results_text(results))) <= set(schema["properties"])
