"""Connection tracking table capacity (RFC 9693 §4.9) of tables whose size is known, but not to the procedure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.system.campaigns import campaign
from tests.system.requirements import needs_nft, needs_root
from tests.system.trials import RELAXED

SIZE = 674  # S: of 300, doubled until it is too much and then halved, the search comes to S + 1 = 675
ERROR = 40  # E
DELETED_AT_ONCE = 50  # K
ADDRESS_OF_CLIENT = "198.19.0.1"
_LIMIT = Path("/proc/sys/net/netfilter/nf_conntrack_max")


def bench(device: str, initial: int, most: int, error: int, *, name: str = "nat44", frame_size: int = 64) -> str:
    return f"""
technology = {{ name = "{name}", pool = {{ first = "{ADDRESS_OF_CLIENT}" }} }}
[device]
{device}
{RELAXED}
[[measure]]
procedure = "capacity"
frame_sizes = [{frame_size}]
safe_connections = {initial}
maximum_connections = {most}
minimum_phase_1_s = 0.01
tolerated_error = {error}
minimum_fps = 1000
maximum_fps = 20000
stop_width_percent = 50
beta = 0.5
timeout_s = 0.1
settle_s = 0
learning_wait_s = 0
maximum_repeats = 1
repetitions = 1
retries = 5
"""


def measured(text: str, folder: Path) -> dict[str, Any]:
    """The measurement in results.json, and the journal beside it."""
    measurement: dict[str, Any] = campaign(folder, text).results["measurements"][0]
    return measurement


def value(measurement: dict[str, Any], name: str) -> int:
    found = next(quantity for quantity in measurement["values"] if quantity["quantity"] == name)
    return int(found["values"][0]["value"])


def steps(measurement: dict[str, Any]) -> list[dict[str, Any]]:
    """Of its only search."""
    (repetition,) = measurement["repetitions"]
    found: list[dict[str, Any]] = repetition["steps"]
    return found


def right(measurement: dict[str, Any], size: int, error: int) -> None:
    """The size lies between what was safe and what failed, and these are as close as was asked for."""
    safe = value(measurement, "connection tracking table capacity")
    failed = value(measurement, "smallest number that failed")
    assert safe <= size < failed <= safe + error
    stages = [step["stage"] for step in steps(measurement)]
    assert stages == sorted(stages, key=["initial", "exponential", "final"].index)
    assert stages.count("exponential") >= 2, "doubled at least once before it was too much"


@pytest.mark.parametrize("when_full", ["refuse", "least_recently_used", "collect"])
def test_all_replacement_policies(tmp_path: Path, when_full: str) -> None:
    """R9693-4.9: what is lost with C > S connections: C - S of them; if K go at once, whole Ks."""
    collect = when_full == "collect"
    state = f'entries = {SIZE}, mapping = "address_and_port_dependent", when_full = "{when_full}"'
    state += f", collect = {DELETED_AT_ONCE}" if collect else ""
    found = measured(bench(f'driver = "reference"\nstate = {{ {state} }}', 300, 3000, ERROR), tmp_path)
    right(found, SIZE, ERROR)
    validated: dict[int, int] = {}
    for step in steps(found):
        count = step["connections"]
        assert step["passed"] == (count <= SIZE)
        over = max(0, count - SIZE)
        lost = -(-over // DELETED_AT_ONCE) * DELETED_AT_ONCE if collect else over
        last = step["tests"][-1]
        assert last["held"] == count - lost
        if when_full == "refuse":
            assert (last["phase_1_lost"], last["validation_lost"]) == (lost, None if lost else 0)
        else:
            assert (last["phase_1_lost"], last["validation_lost"]) == (0, lost)
        validated[count] = count - lost
    assert validated[SIZE + 1] == (SIZE - DELETED_AT_ONCE + 1 if collect else SIZE)


@needs_root
@needs_nft
@pytest.mark.alone
@pytest.mark.skipif(not _LIMIT.exists(), reason="the kernel has no connection tracking")
def test_the_kernels_table(tmp_path: Path) -> None:
    """R9693-4.9: nf_conntrack_max is found, and afterwards what it was before."""
    size, error = 3000, 100
    before = _LIMIT.read_text()
    found = measured(bench(f'driver = "nft-nat44"\ntable_size = {size}', 1000, 20000, error), tmp_path)
    assert _LIMIT.read_text() == before
    right(found, size, error)
    for line in (tmp_path / "c" / "journal.jsonl").read_text().splitlines():
        experiment = json.loads(line)["answer"]["experiment"]
        if json.loads(line)["request"]["purpose"] == "negative" and "held_before" not in experiment:
            continue  # on the connections of the trial before
        assert experiment["held_before"] == 0
        assert experiment["held"] <= size
    for step in steps(found):
        assert step["passed"] == (step["connections"] <= size), "an entry of the kernel may cost one test"
        for test in step["tests"]:
            if test["verdict"] == "passed":
                assert test["held"] == step["connections"]
            else:  # of those that came through in phase 1, it may have deleted some for others
                lost = test["phase_1_lost"] or test["validation_lost"]
                assert 0 < lost <= step["connections"]
                assert test["held"] <= size
