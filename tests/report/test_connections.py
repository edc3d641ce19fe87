"""report.html and summary.csv of a stateful DUT: establishment, tear-down, capacity, mappings, timeouts, CPU use."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from tests.report import changed, connections_campaign, environments, frames_campaign, times_campaign
from tests.report.connections_campaign import experiment
from tests.report.test_html import HOSTILE, Page
from xlatperf.meaning.findings import findings
from xlatperf.procedures.quantity import NoResult
from xlatperf.procedures.timeout_check import TimeoutFound
from xlatperf.report import html, summary_csv
from xlatperf.report.evidence import Evidence
from xlatperf.report.sections.establishment import alike
from xlatperf.report.state_table import state_table
from xlatperf.results.results import Measurement, Results

Verdict = Literal["remembers", "forgets", "unclear"]


def written(results: Results, folder: Path, environment: dict[str, Any] | None = None) -> Page:
    known = connections_campaign.ENVIRONMENT if environment is None else environment
    (folder / "environment.json").write_text(json.dumps(known), encoding="utf-8")
    page = Page(html.write(results, folder).read_text(encoding="utf-8"))
    page.visible = " ".join(page.visible.split())
    return page


def of(*measurements: Measurement, **changes: Any) -> Results:
    return connections_campaign.results(measurements=measurements, **changes)


def sections(page: Page) -> list[str | None]:
    return [attributes["id"] for tag, attributes in page.tags if tag == "section"]


def ids(page: Page) -> set[str | None]:
    return {attributes.get("id") for _, attributes in page.tags}


def test_order(tmp_path: Path) -> None:
    page = written(connections_campaign.results(), tmp_path)
    assert sections(page)[:8] == [
        "summary",
        "establishment",
        "teardown",
        "capacity",
        "throughput",
        "scalability",
        "device-cpu",
        "connections",
    ]
    assert page.loads == []


def test_establishment(tmp_path: Path) -> None:
    """R9693-6-1: RFC 9693 §4.5, §6: median, P1, P99, error, number of searches; what limits, and which phase failed."""
    page = written(connections_campaign.results(), tmp_path)
    assert "84 40,000 – 3 59,836 58,664 60,616 3.26 390 DUT phase 1" in page.visible  # noqa: RUF001
    assert "84 40,000 0.8 1 49,684 49,684 49,684 – 391 DUT validation" in page.visible  # noqa: RUF001
    assert (
        "Linux NAT44 establishes up to 59,836 connections per second with 40,000 connections, 84 bytes (median of 3 "
        "searches, from 58,664 to 60,616, error 390)." in page.visible
    )


def test_exact_rates_show_under_the_pointer_only(tmp_path: Path) -> None:
    page = written(
        of(
            changed.rates(40_000, (60_000.25,)),
            changed.teardowns(40_000, (0.0317,)),
        ),
        tmp_path,
    )
    assert "span" not in page.visible
    titles = {attributes["title"] for _, attributes in page.tags if "title" in attributes}
    assert "60000.25 connections per second" in titles


def test_alpha(tmp_path: Path) -> None:
    """The draft's Figure 11: with alpha too high the rate falls, with alpha low it equals the unvalidated one."""
    page = written(connections_campaign.results(), tmp_path)
    assert "None 0.2 0.8 1.5 40,000, 84 bytes 59,836 59,836 100.0 % 49,684 83.0 % 26,642 44.5 %" in page.visible
    assert "plot-alpha" in ids(page)


def test_alpha_of_bounds(tmp_path: Path) -> None:
    """A share of a lower bound is an upper one; of two nothing is known."""
    plain = changed.rates(40_000, (60_000.0,), limited_by="maximum")
    low, high = ("maximum", 0.2, 60_000.0), ("dut", 0.5, 30_000.0)
    validated = [changed.rates(40_000, (rate,), alpha=alpha, limited_by=limit) for limit, alpha, rate in (low, high)]
    page = written(of(plain, *validated), tmp_path)
    assert "40,000, 84 bytes ≥ 60,000 ≥ 60,000 30,000 ≤ 50.0 %" in page.visible


def test_one_alpha_has_no_plot(tmp_path: Path) -> None:
    page = written(of(changed.rates(40_000, (50_000.0,), alpha=0.8)), tmp_path)
    assert "plot-alpha" not in ids(page)


def test_remarks_that_differ_in_numbers_only() -> None:
    lines = ["phase 1 took 0.25 s only", "phase 1 took 0.3 s only", "another"]
    assert alike(lines) == ["phase 1 took 0.25 s only (and 1 more like it)", "another"]


def test_teardown(tmp_path: Path) -> None:
    """RFC 9693 §4.8: N / (B - A), less the empty table's time."""
    page = written(connections_campaign.results(), tmp_path)
    assert "84 4,000 30,893 3 5.0000 1.0000 1,000,000 800,000 1,333,333 800,000" in page.visible
    assert "deletes 40,000 connections in 41.0 ms: 1,000,000 connections per second" in page.visible


def test_one_lower_bound_makes_the_teardown_rate_one(tmp_path: Path) -> None:
    """In the row, in the sentence and on the card."""
    known = changed.teardowns(40_000, (0.041, 0.041))
    first, *others = known.repetitions
    bounded = first.model_copy(update={"limited_by": "resolution"})
    page = written(of(known.model_copy(update={"repetitions": (bounded, *others)})), tmp_path)
    assert page.visible.count("≥ 1,000,000") == 6, "median, ends, beside the CPU use, the repetition, the card"
    assert "at least 1,000,000 connections per second" in page.visible


def test_capacity(tmp_path: Path) -> None:
    """RFC 9693 §4.9: the result within E, and the way to it."""
    page = written(connections_campaign.results(), tmp_path)
    assert "84 1 65,000 65,000 65,000 1,000 65,625 49,660 49,660" in page.visible
    assert "4 doubling 80,000 – 4,966 4,966 3 validation failed 0 14,466 18.08 % 65,536" in page.visible  # noqa: RUF001
    assert "65,536; the capacity found is 536 below it within E + 2 entries of its own" in page.visible
    assert "up to 2 in the emptied table: the kernel's own traffic" in page.visible
    said = (
        "0 frames of phase 1 did not come as they must, of the validation 14,466; afterwards the device held 65,536: it"
    )
    assert said in page.visible
    assert "plot-capacity-0" in ids(page)
    assert "holds 65,000 connections (E = 1,000), all established and validated; 65,625 were too many" in page.visible


def overflowing(phase_1_lost: int, shortfall: str = "") -> Measurement:
    """The capacity, with 80,000 connections failing in phase 1."""
    item = connections_campaign.measured("capacity", alpha=0.8)
    (step,) = [one for one in item.capacity_steps if one.connections == 80_000]
    tests = (
        replace(one, verdict="phase_1", phase_1_lost=phase_1_lost, shortfall=shortfall, validation_lost=None)
        for one in step.tests
    )
    failed = replace(step, tests=tuple(tests))
    (repetition,) = item.repetitions
    steps = tuple(failed if one is step else one for one in repetition.steps)
    return item.model_copy(update={"repetitions": (repetition.model_copy(update={"steps": steps}),)})


def test_capacity_of_a_device_that_refuses(tmp_path: Path) -> None:
    said = (
        "With 80,000 connections 14,464 frames of phase 1 did not come as they must; afterwards the device held 65,536"
    )
    assert f"{said}: it refuses new" in written(of(overflowing(14_464)), tmp_path).visible


def test_capacity_where_phase_1_came_back_wrong(tmp_path: Path) -> None:
    """That is no refusal."""
    page = written(of(overflowing(14_464, "14,464 of 80,000 came back wrong: TTL 10, expected 9")), tmp_path)
    assert "(14,464 of 80,000 came back wrong: TTL 10, expected 9): whether it refuses new ones can't" in page.visible
    assert "it refuses new connections" not in page.visible


def test_capacity_where_phase_1_hides_what_was_dropped(tmp_path: Path) -> None:
    """As the kernel does it: a few frames lost in phase 1, and many older entries gone."""
    page = written(of(overflowing(206)), tmp_path)
    assert (
        "206 frames of phase 1 did not come as they must; afterwards the device held 65,536: it dropped" in page.visible
    )


def test_capacity_not_found(tmp_path: Path) -> None:
    changes: dict[str, Any] = {
        "no_result": NoResult("not found", "up to 100,000 connections"),
        "values": (),
        "repetitions": (),
    }
    page = written(of(connections_campaign.measured("capacity", alpha=0.8).model_copy(update=changes)), tmp_path)
    assert "not found up to 100,000 connections" in page.visible


def test_capacity_of_the_reference_device(tmp_path: Path) -> None:
    """Policy 3 of RFC 9693 §4.9 leaves S - K + 1."""
    state = {"entries": 70_000, "when_full": "collect", "collect": 5000}
    device = {"reference.configuration": json.dumps({"technology": {"name": "nat44", "state": state}})}
    results = of(connections_campaign.measured("capacity", alpha=0.8))
    page = written(results, tmp_path, {"device": device})
    assert "the capacity found is 5,000 below it not within E" in page.visible
    assert "of S entries S - K + 1 are left" in page.visible


def test_sizes_that_a_users_command_says() -> None:
    """R9693-6-2: `table_size` and `hash_size` of facts_command."""
    device = {"table_size": "4194304", "hash_size": "1048576"}
    known = state_table(Evidence(connections_campaign.results(), {"device": device}))
    assert (known.entries, known.buckets) == (4_194_304, 1_048_576)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"technology": 3}', '{"technology": {"state": []}}', "[" * 10_000])
def test_broken_configurations(text: str) -> None:
    evidence = Evidence(connections_campaign.results(), {"device": {"reference.configuration": text}})
    assert state_table(evidence).entries is None


def test_mappings(tmp_path: Path) -> None:
    """Addresses, ports, what isn't right, entries before and after phase 1."""
    trials = (
        experiment(0, shared=2, examples=("connections 1 and 2",)),
        experiment(1, wrong={"outside_pool": 7, "mapping_changed": 5}),
    )
    results = connections_campaign.results(trials=trials, findings=findings(trials))
    page = written(results, tmp_path)
    row = "establishment 40,000 2 1 2 1024–65535 25.0 % kept 2 7 5 2 100.0"  # noqa: RUF001
    assert row in page.visible
    assert "198.19.1.1 26,667 66.67 198.19.1.2 13,333 33.33" in page.visible
    for said in ("outside_pool", "mapping_changed", "shared_mapping", "2 connections", "connections 1 and 2"):
        assert said in page.visible
    assert "the mapping changed, which it must not while the connection is used" in page.visible
    assert "1024 to 41023: 40,000" in page.visible
    assert "8 bytes for each connection" in page.visible


def test_mappings_of_a_sample(tmp_path: Path) -> None:
    """R9693-4.4-1: of very many connections a sample is compared, and the report says so."""
    trials = (
        experiment(0, shared=2, compared=10_000),
        experiment(1, compared=9_000),
    )
    results = connections_campaign.results(trials=trials, findings=findings(trials))
    page = written(results, tmp_path)
    assert "25.0 % kept 2 of 19,000 0 0" in page.visible
    assert "of 40,000 connections 10,000 were compared" in page.visible


def timeout_check(verdict: Verdict) -> TimeoutFound:
    """30 s are too short."""
    text = "the DUT forgets connections within 62 s: 200 of 200 were gone after that time, none without waiting: set "
    (known,) = connections_campaign.results().timeout_checks
    text += "its UDP timeout longer (RFC 9693 §4.4)"
    return replace(known, verdict=verdict, text=text, lost=200, waited_s=60.0, trials=(40, 41))


@pytest.mark.parametrize(
    ("verdict", "said"), [("forgets", "forgets them"), ("remembers", "keeps them"), ("unclear", "unclear")]
)
def test_timeout(tmp_path: Path, verdict: Verdict, said: str) -> None:
    """RFC 9693 §4.4: a timeout that is too short is said, not reported as loss."""
    results = connections_campaign.results(timeout_checks=(timeout_check(verdict),))
    page = written(results, tmp_path)
    assert f"{said} The DUT forgets connections within 62 s" in page.visible
    assert ("Nothing. Every frame that came back" in page.visible) is (verdict != "forgets")
    assert ("forgets timeout reverse ← – 200 connections 2 40" in page.visible) is (verdict == "forgets")  # noqa: RUF001


def test_phase_2(tmp_path: Path) -> None:
    """Throughput, loss and times say how many connections there were."""
    changes = {"connections": changed.space(40_000), "device_cores": 2}
    items = (frames_campaign.measured("frame_loss"), *times_campaign.everything())
    times = [item.model_copy(update={**changes, "measure": f"{item.measure}, 40,000 connections"}) for item in items]
    page = written(of(*connections_campaign.measurements(), *times), tmp_path)
    assert "found by N complete searches, led by the rate at which frames still came through" in page.visible
    assert "84 both ⇄ 40,000 3 119,782 118,561 120,393 1.53 DUT" in page.visible
    assert "at 84 bytes with 40,000 connections, in both directions at once, without loss" in page.visible
    assert "84/64 forward → 40,000 2 1,000 ≤ 100 10,000 3 12,000.0" in page.visible
    assert "100 % with 40,000 connections on 2 cores of the device" in page.visible
    assert "Latency at 84/64 bytes with 40,000 connections on 2 cores of the device at 1,000" in page.visible


def test_trials_say_their_phases(tmp_path: Path) -> None:
    page = written(connections_campaign.results(), tmp_path)
    assert "93 validate 40,000 validation 40 39,962 84 40,000" in page.visible
    assert "phase 1: new connections 600,000" in page.visible


def test_stateless_has_none_of_it(tmp_path: Path) -> None:
    """No section, column or term of connections."""
    bench = {name: table for name, table in frames_campaign.bench().items() if name not in ("measure", "traffic")}
    page = written(frames_campaign.results(bench=bench), tmp_path, environments.ENVIRONMENT)
    for word in ("Connections", "connection", "RFC 9693", "Phase 1", "scale-up"):
        assert word not in page.visible
    with summary_csv.write(frames_campaign.results(), tmp_path).open(encoding="utf-8", newline="") as file:
        assert not any(line["alpha"] or line["connections"] for line in csv.DictReader(file))


@pytest.mark.parametrize("kind", ["failed", "nothing yet", "no result"])
def test_without_values(tmp_path: Path, kind: str) -> None:
    said_by: dict[str, dict[str, Any]] = {
        "failed": {"failures": (changed.failure("the Tester could not do it"),)},
        "nothing yet": {"complete": False},
        "no result": {"no_result": NoResult("no result", "not even the lowest rate passed")},
    }
    changes = said_by[kind]
    empty: dict[str, Any] = {
        "values": (),
        "repetitions": (),
        "parameters": {},
        "device_cpu": {},
        "summary": None,
    }
    items = [item.model_copy(update={**empty, **changes}) for item in connections_campaign.measurements()]
    page = written(of(*items, trials=()), tmp_path)
    said = {"failed": "could not do it", "nothing yet": "no repetition has ended yet", "no result": "the lowest rate"}
    assert said[kind] in page.visible


def test_hostile_text(tmp_path: Path) -> None:
    items = [
        item.model_copy(update={"measure": HOSTILE, "remarks": (HOSTILE,), "device_cpu": {HOSTILE: 1.0, "b": 0.1}})
        for item in connections_campaign.measurements()
    ]
    check = replace(timeout_check("forgets"), text=HOSTILE)
    trial = experiment(0, addresses=((HOSTILE, 40), ("b", 1))).model_copy(update={"run": HOSTILE})
    technology = {"name": "nat44", "pool": {"first": HOSTILE, "addresses": HOSTILE}}
    environment = {"device": {"net.netfilter.nf_conntrack_max": HOSTILE, "reference.configuration": HOSTILE}}
    results = of(*items, timeout_checks=(check,), trials=(trial,), technology=technology)
    page = written(results, tmp_path, environment)
    assert not [tag for tag, _ in page.tags if tag == "img"]
    assert page.loads == []
    assert HOSTILE in page.visible


def test_summary_csv(tmp_path: Path) -> None:
    path = summary_csv.write(connections_campaign.results(), tmp_path)
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    names = ("procedure", "connections", "alpha", "quantity", "statistic", "repetition")
    found = {tuple(line[name] for name in names): line for line in lines}
    validated = "establishment", "40000", "0.8", "validated connection establishment rate"
    assert (found[*validated, "median", ""]["value"], found[*validated, "n", ""]["unit"]) == ("49684.0", "1")
    one = found[*validated, "value", "1"]
    assert (one["unit"], one["limited_by"]) == ("connections/s", "dut")
    assert found["capacity", "", "0.8", "connection tracking table capacity", "median", ""]["value"] == "65000.0"
    assert found["throughput", "4000", "", "throughput", "median", ""]["value"] == "149092.0"
    assert any(line["quantity"].startswith("CPU use of ") and line["unit"] == "cores" for line in lines)
