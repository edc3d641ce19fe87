"""Numbers of flows as series, and flows that begin one after the other (R8219-10.2.1, R8219-10.2.2)."""

from __future__ import annotations

import pytest

from tests.config.test_errors import fault
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.run.runs import cells, trial_template
from xlatperf.run.tester import trial_message

SIIT = 'technology.name = "siit"\n'
THROUGHPUT = '[[measure]]\nprocedure = "throughput"\nframe_sizes = [84]\n'
APART = THROUGHPUT + "flow_interval_s = 0.5\n"
FLOWS = "columns = [{ flows = 1 }, { flows = 16 }]\n"


def test_a_number_of_flows_is_a_series() -> None:
    """R8219-10.2.1: in both directions."""
    bench = parse_bench(SIIT + THROUGHPUT + FLOWS, "b")
    one, many = cells(bench)
    assert [one.name, many.name] == ["throughput, 1 flow", "throughput, 16 flows"]
    assert many.key.endswith("/bidirectional/flows=16")
    traffic = configure_message(bench.at(many.series), (1, 1))["traffic"]
    assert [traffic[name]["flows"] for name in ("forward", "reverse")] == [16, 16]
    assert bench.traffic.forward.flows is None
    assert trial_template(bench, many).incremental is None


def test_they_begin_one_after_the_other() -> None:
    """R8219-10.2.2: a measure of its own, whose trials are (n - 1) t longer; one flow has none to begin after it."""
    bench = parse_bench(SIIT + THROUGHPUT + FLOWS + APART + FLOWS, "b")
    *_, one, many = cells(bench)
    assert many.name == "throughput, flows 0.5 s apart, 16 flows"
    assert many.measure.parameters()["flow_interval_s"] == 0.5
    assert trial_template(bench, one).incremental is None
    request = trial_template(bench, many).at(1600)
    assert (request.duration_s, request.sending_s) == (60, 67.5)
    assert request.frames == 96_000 + 1600 * 0.5 / 16 * (15 * 16 / 2)
    assert trial_message(bench, request, 0)["incremental"] == {"flows": 16, "interval_s": 0.5}
    assert request.without_load(10, 1000, "learning").incremental is None


def test_tags_come_later() -> None:
    """R8219-10.2.2: RFC 8219 §7.2's 60 s begin when all flows have."""
    text = "[[measure]]\nprocedure = 'latency'\nrate_fps = 100\nframe_sizes = [84]\nflow_interval_s = 2\n"
    bench = parse_bench(SIIT + text + FLOWS, "b")
    many = cells(bench)[1]
    request = many.measure.delays_of(trial_template(bench, many).at(100))  # type: ignore[attr-defined]
    assert request.tags is not None
    assert (request.tags.from_s, request.sending_s) == (90, 150)


def test_subscribers_are_flows() -> None:
    """R8219-10.2.2: as many as the series has, else as the technology."""
    rule = '[[technology.domains]]\nipv6 = "2001:db8::/40"\nipv4 = "192.0.2.0/24"\nea_bits = 16\nces = 7\n'
    text = f'technology.name = "map-e"\n{rule}br = "2001:db8:ffff::1"\n{APART}'.replace("84", "104")
    alone = cells(bench := parse_bench(text, "b"))[0]
    asked = trial_template(bench, alone).incremental
    assert asked is not None
    assert asked.flows == 7
    many = cells(bench := parse_bench(text + "subscribers = [1, 100]\n", "b"))[1]
    asked = trial_template(bench, many).incremental
    assert asked is not None
    assert asked.flows == 100


_UNCOUNTED = (
    "b.toml: measure[0].flow_interval_s: 0.5 is not allowed: only with a number of flows: that of subscribers, or "
    "flows of hosts by columns or by traffic.forward.flows and traffic.reverse.flows, which are the same"
)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (SIIT + APART, _UNCOUNTED),
        (SIIT + APART + "[traffic]\nforward.flows = 2\nreverse.flows = 3", _UNCOUNTED),
        (SIIT + APART + "[traffic]\nforward.flows = 2", _UNCOUNTED),
        (
            'technology.name = "nat44"\n' + APART.replace("84", "64") + "connections = [10]\nestablish_fps = 1",
            _UNCOUNTED,
        ),
        (
            SIIT + APART + "columns = [{ flows = 65537 }]",
            "b.toml: measure[0].flow_interval_s: 0.5 is not allowed: nothing with 65537 flows: with at most 65536",
        ),
        (
            SIIT + APART.replace("0.5", "3600") + "columns = [{ flows = 26 }]",
            "b.toml: measure[0].flow_interval_s: 3600 is not allowed: at most 86400 s until all 26 flows have begun",
        ),
        (
            SIIT + APART.replace("0.5", "0") + FLOWS,
            "b.toml: measure[0].flow_interval_s: 0 is not allowed: a number, 1e-06 to 3600",
        ),
        (
            SIIT + THROUGHPUT + "columns = [{ flows = 1 }, { flows = 17 }]\n"
            "[traffic]\nforward = { source_ports.last = 1039, destination_ports.order = 'fixed' }",
            "b.toml: measure[0].columns[1].flows: 17 is not allowed: at most 16, which hosts and ports make",
        ),
        (
            'technology.name = "lw4o6"\n' + THROUGHPUT.replace("84", "104") + "columns = [{ flows = 2 }]",
            "b.toml: measure[0].columns[0].flows: 2 is not allowed: only with technologies that have hosts on both "
            "sides, and no connections",
        ),
        (
            SIIT
            + "[[measure]]\nprocedure = 'latency'\nframe_sizes = [84]\nflow_interval_s = 0.5\n"
            + FLOWS
            + THROUGHPUT
            + FLOWS,
            "b.toml: measure[0].rate_fps: nothing is not allowed: a rate, or a measure with procedure = throughput, "
            "direction = bidirectional, flow_interval_s = 0.5 and frame sizes 84 and flows 1, 16 in this file",
        ),
    ],
)
def test_what_is_not_possible(text: str, line: str) -> None:
    """One line: where, what value, what is allowed."""
    assert fault(text) == line
