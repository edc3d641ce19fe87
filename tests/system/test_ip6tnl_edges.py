"""Ends of tunnels by the kernel of a virtual machine: MAP-E's CE and BR, Lw4o6's lwB4 and lwAFTR, DS-Lite's B4."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.conformance import read
from tests.lab.machine.requirements import needs_machine
from tests.long import more, only_long
from tests.system.command import REPOSITORY, xlatperf
from tests.system.requirements import needs_root
from tests.system.test_linux import CHECK
from xlatperf.conformance.record import ConformanceRecord
from xlatperf.conformance.rule import Verdict

pytestmark = [needs_root, needs_machine]

REFUSED = {
    "ip6tnl-ce": 5,
    "ip6tnl-lwb4": 3,
    "ip6tnl-b4": 2,
    "ip6tnl-br": 7,
    "ip6tnl-br, hairpinning": 7,
    "ip6tnl-lwaftr": 6,
    "ip6tnl-lwaftr, hairpinning": 6,
}
"""How many kinds of frames each must refuse."""
EXAMPLES = {
    "ip6tnl-ce": "ip6tnl-ce",
    "ip6tnl-lwb4": "reference-lw4o6-b4",
    "ip6tnl-b4": "reference-dslite-b4",
    "ip6tnl-br": "ip6tnl-br",
    "ip6tnl-br, hairpinning": "ip6tnl-br",
    "ip6tnl-lwaftr": "reference-lw4o6",
    "ip6tnl-lwaftr, hairpinning": "reference-lw4o6-hairpinning",
}
RULES = {
    "ip6tnl-ce": "map-e-ce",
    "ip6tnl-lwb4": "lw4o6-b4",
    "ip6tnl-b4": "dslite-b4",
    "ip6tnl-br": "map-e",
    "ip6tnl-lwaftr": "lw4o6",
}
"""Whose rules are tried too, and its technology."""
CONGESTION = "ECN: CE is copied to the outer header, unless in compatibility mode"
SHORT = "ip6tnl-ce"


@pytest.mark.parametrize(
    "name", [SHORT, *(pytest.param(name, marks=[more, only_long]) for name in EXAMPLES if name != SHORT)]
)
def test_check(name: str, tmp_path: Path) -> None:
    """R7597-8.1, R7596-5, R7596-6.2: all frames come as they must, and none of those that it must refuse.

    Rule by rule: as docs/conformance.md says.
    """
    text = (REPOSITORY / "examples" / f"{EXAMPLES[name]}.toml").read_text(encoding="utf-8")
    text = re.sub(r"(?m)^driver = .*$", f'driver = "{name.partition(",")[0]}"', text)
    text = re.sub(r"(?m)^count = 1000", "count = 40", text)
    if name == "ip6tnl-br, hairpinning":
        text = text.replace('role = "br"', 'role = "br"\nhairpinning = true')
        text = text.replace("frame_sizes = ", 'direction = "forward"\nframe_sizes = ')
    text = re.sub(r"(?m)^\[device\.impair.*$|^(capacity|delay_us) = .*$", "", text)
    (tmp_path / "b.toml").write_text(text, encoding="utf-8")
    rules = ("--all", "-o", "rules.json")
    ended = xlatperf("check", tmp_path / "b.toml", *CHECK, "--hold", "0.3", *rules, folder=tmp_path)
    assert ended.code == 1, ended.output
    now = ConformanceRecord.model_validate_json((tmp_path / "rules.json").read_text(encoding="utf-8"))
    if name in RULES:
        assert now.rules == read(f"{name}-{RULES[name]}").rules
    else:
        assert [one.says for one in now.rules if one.verdict is Verdict.NOT_KEPT] == [CONGESTION]
    assert "All frames came back as they must" in ended.output
    assert f"trying: {REFUSED[name]} kinds of frames that the DUT must refuse" in ended.output
    refused = re.findall(r"(?m)^frames .*: (\d+ of \d+ (?:dropped|answered by .*))\.$", ended.output)
    assert len(refused) == REFUSED[name], ended.output
