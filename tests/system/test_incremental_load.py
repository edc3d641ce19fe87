"""From one flow to many through TAYGA: flows that begin at once, and one after the other (RFC 8219 §10)."""

from __future__ import annotations

import csv
import html
import re
from pathlib import Path

from tests.system.campaigns import campaign
from tests.system.requirements import needs_root, needs_tayga
from tests.system.shortened import shortened

pytestmark = [needs_root, needs_tayga]


def test_degradation(tmp_path: Path) -> None:
    """R8219-10.2.1, R8219-10.2.2: n, t, rate and percent are reported; trials last (n - 1) t longer."""
    text = shortened("tayga-siit-flows", repetitions="1", minimum_fps="500", maximum_fps="2000", tester_alone_s="0")
    made = campaign(tmp_path, text)
    found = {(one["series"], one["flows"]) for one in made.results["measurements"]}
    apart = "throughput, flows 0.01 s apart"
    assert found >= {("throughput", 1), (apart, 32)}
    asked = {
        (request.incremental.flows, round(request.sending_s - request.duration_s, 6))
        for trial in made.model.trials
        if (request := trial.request).incremental is not None
    }
    assert asked == {(8, 0.07), (32, 0.31)}
    with (made.folder / "scalability.csv").open(encoding="utf-8", newline="") as file:
        heads = [row for row in csv.reader(file) if row[:1] == ["num. flows"]]
    assert heads[0][2:] == ["1", "8", "32"]
    page = html.unescape(re.sub(r"<[^>]+>", " ", (made.folder / "report.html").read_text(encoding="utf-8")))
    for said in ("Flows apart", "Flows begin 0.01 s apart", "8 flows 0.01 s apart"):
        assert said in page
