"""RFC 7599: MAP-T's border relay and CE by TAYGA and nftables, in namespaces."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from docs.conformance import read
from tests.system.command import REPOSITORY, xlatperf
from tests.system.requirements import needs_root, needs_tayga
from tests.system.shortened import shortened
from tests.system.test_check_rules import verdicts
from tests.system.test_linux import CHECK
from xlatperf.conformance.record import ConformanceRecord
from xlatperf.conformance.rule import Verdict

pytestmark = [needs_root, needs_tayga]

PORTS = "frames from a port of another CE (forward, RFC 7599 §8.3, MUST)"


def test_a_relay_that_does_not_check_ports(tmp_path: Path) -> None:
    """R7599-8: found by `check`, and in the report of a campaign beside what it measured."""
    text = shortened("tayga-map-t", maximum_fps="4000", rate_fps="1000", mix="[[1, 1]]")
    text = text.replace("# check_ports = false", "check_ports = false")
    (tmp_path / "b.toml").write_text(text, encoding="utf-8")
    ended = xlatperf("check", tmp_path / "b.toml", *CHECK, "--hold", "0.3", folder=tmp_path)
    assert ended.code == 1, ended.output
    assert f"{PORTS}: 10 of 10 came through, and none may." in ended.output
    assert "did not refuse 2 of 6 kinds of frames that it must" in ended.output
    ended = xlatperf("run", tmp_path / "b.toml", "-f", "r", "--skip-selftest", folder=tmp_path)
    results = json.loads((tmp_path / "r" / "results.json").read_text(encoding="utf-8"))
    assert results["measurements"], ended.output
    page = re.sub(r"<[^>]+>", "", (tmp_path / "r" / "report.html").read_text(encoding="utf-8"))
    assert "10 of 10 came through" in page


@pytest.mark.parametrize("example", ["tayga-map-t", "tayga-map-t-ce"])
def test_rule_by_rule(example: str, tmp_path: Path) -> None:
    """As docs/conformance.md says: the relay lets the address between TAYGA and its rules out, in ICMP errors."""
    bench = REPOSITORY / "examples" / f"{example}.toml"
    ended = xlatperf("check", bench, *CHECK, "--hold", "0.3", "--all", "-o", "rules.json", folder=tmp_path)
    now = ConformanceRecord.model_validate_json((tmp_path / "rules.json").read_text(encoding="utf-8"))
    assert verdicts(now.rules) == verdicts(read(example).rules), ended.output
    broken = [one.came for one in now.rules if one.verdict is Verdict.NOT_KEPT]
    assert any("destination 100.64." in came for came in broken) == (example == "tayga-map-t")
