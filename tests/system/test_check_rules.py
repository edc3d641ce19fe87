"""R7915-V: `check --all` on the reference device, which keeps all rules but for the faults it is ordered to have."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pytest

from docs.conformance import read
from tests.long import more, only_long
from tests.system.command import REPOSITORY, xlatperf
from tests.system.requirements import needs_root, needs_tayga
from xlatperf.commands.check_rules import check_rules, tried
from xlatperf.config.load import parse_bench
from xlatperf.conformance.nat44 import rules as nat44
from xlatperf.conformance.record import ConformanceRecord, RuleRecord, records
from xlatperf.conformance.rule import Finding, Verdict
from xlatperf.devices.reference import ReferenceDevice
from xlatperf.meaning.no_answer import NoAnswer
from xlatperf.run.session import session

ZERO = "RFC 7915 §4.5: UDP without a checksum: dropped, or its checksum computed"


def findings(device: str, ipv6_side: str) -> dict[str, Finding]:
    bench = parse_bench(
        f'device = {{ driver = "reference"{device} }}\n[technology]\nname = "siit"\nipv6_side = "{ipv6_side}"\n', "b"
    )
    with session(bench) as running:
        return {one.rule.name: one for one in check_rules(bench, running, lambda _: None)}


def test_all_are_kept() -> None:
    """By an implementation of the RFC that has no line in common with the rules; with IPv6 on the right."""
    found = findings(', udp_checksum_zero = "compute"', "right")
    zero = found.pop(ZERO)
    assert (zero.verdict, zero.came) == (Verdict.DECIDED, "computed")
    assert {name: one.came for name, one in found.items() if one.verdict is not Verdict.KEPT} == {}


@pytest.mark.parametrize("role", ["br", pytest.param("ce", marks=[more, only_long])])
def test_map_t(role: str) -> None:
    """R7599-8: RFC 7915 as far as there are ports; fragments it leaves out."""
    text = (REPOSITORY / "examples/reference-map-t.toml").read_text(encoding="utf-8")
    if role == "ce":
        text = re.sub(r"(?m)^ces = .*$", "ea = 595", text.replace('role = "br"', 'role = "ce"'))
    bench = parse_bench(text, "b")
    with session(bench) as running:
        found = check_rules(bench, running, lambda _: None)
    assert {one.rule.name: one.came for one in found if one.verdict is Verdict.NOT_KEPT} == {
        f"RFC 7599 {section}: fragments from {family} come through{how}": "dropped"
        for section, family in (("§10.2", "IPv4"), ("§10.3", "IPv6"))
        for how in ("", ", the last first")
    }


def of_reference(name: str) -> list[Finding]:
    """Of an example, without the capacity that it is ordered to have."""
    text = (REPOSITORY / f"examples/{name}.toml").read_text(encoding="utf-8")
    bench = parse_bench(re.sub(r"(?m)^(capacity|delay_us) = .*$", "", text), "b")
    with session(bench) as running:
        return check_rules(bench, running, lambda _: None)


def test_hairpinning() -> None:
    """R7596-6.2: fragments it leaves out, and errors to who is behind a tunnel."""
    assert {one.rule.says: one.came for one in of_reference("reference-lw4o6-hairpinning") if wrong(one)} == {
        "to another lwB4: a TTL of 1 draws ICMP 11/0": "dropped without an error",
        **{
            f"{what}{how}": "dropped"
            for what in (
                "to another lwB4: fragments of IPv4 come through",
                "out of the tunnel: a tunnel's packet in fragments is put together",
            )
            for how in ("", ", the last first")
        },
    }


@more
@only_long
def test_map_t_ce() -> None:
    """R7599-8: its NAPT44 has sessions of UDP alone, in which all headers are right."""
    found = of_reference("reference-map-t-ce")
    assert {one.came for one in found if wrong(one)} == {"dropped"}
    assert {one.rule.section for one in found if wrong(one)} <= {
        *(f"RFC 7915 §{section}" for section in ("4.1", "4.2", "4.3", "5.1", "5.2", "5.3")),
        *("RFC 7599 §10.2", "RFC 7599 §10.3"),
    }
    assert not any(wrong(one) for one in found if "ICMP" not in one.rule.says and one.rule.section.endswith(".1"))
    reasons = {one.came for one in found if one.verdict is Verdict.NOT_TRIED}
    assert reasons == {f"the device has opened no session of {what} to try it in" for what in ("TCP", "ICMP queries")}


def wrong(one: Finding) -> bool:
    return one.verdict is Verdict.NOT_KEPT


def test_faults_are_in_their_rules(tmp_path: Path) -> None:
    """As a command: the exit code, what is said, and the file."""
    bench = tmp_path / "bench.toml"
    bench.write_text(
        '[device]\ndriver = "reference"\nimpair.forward.corrupt = [{ what = "traffic_class", every = 1 }]\n'
        '[technology]\nname = "siit"\nipv6_side = "left"\n',
        encoding="utf-8",
    )
    ended = xlatperf("check", bench, "--all", "--output", tmp_path / "rules.json", folder=tmp_path)
    assert ended.code == 1, ended.output
    rule = "all 8 bits of the traffic class become the TOS"
    assert rule in ended.output
    record = ConformanceRecord.model_validate(json.loads((tmp_path / "rules.json").read_text(encoding="utf-8")))
    assert (record.technology, record.driver) == ("siit", "reference")
    broken = {one.says for one in record.rules if one.verdict is Verdict.NOT_KEPT}
    assert rule in broken
    count = len(record.rules)
    assert f"Of {count} rules: {count - len(broken) - 1} kept, {len(broken)} not kept, 1 decided (" in ended.output
    assert [one.finding.rule.name for one in record.rules if one.verdict is Verdict.DECIDED] == [ZERO]


def test_a_device_that_is_gone() -> None:
    """Before the first rule: it's said which address is silent."""
    bench = parse_bench('device.driver = "reference"\ntechnology = { name = "siit", ipv6_side = "left" }\n', "b")
    with session(bench) as running:
        assert isinstance(running.device, ReferenceDevice)
        pid = running.device.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(NoAnswer, match=r"^rules: not tried: ") as raised:
            check_rules(bench, running, lambda _: None)
    assert raised.value.exit_code == 1
    assert len(raised.value.told) == 1


@pytest.mark.parametrize(
    ("bench", "options", "line"),
    [
        ("linux-ipv4", ["--all"], "--all: there are no rules for technology.name = native yet; for siit"),
        ("reference-siit", ["-o", "x.json"], "--output: not allowed without --all"),
        (
            "reference-siit",
            ["--all", "-o", "x.txt"],
            "--output: x.txt is not allowed: a name that ends in .json, or a campaign's folder",
        ),
        (
            "reference-siit",
            ["--all", "-o", "no/x.json"],
            "--output: no/x.json is not allowed: in a folder",
        ),
    ],
)
def test_what_is_refused(bench: str, options: list[str], line: str, tmp_path: Path) -> None:
    ended = xlatperf("check", REPOSITORY / f"examples/{bench}.toml", *options, folder=tmp_path)
    assert (ended.code, ended.output.count("\n")) == (2, 1)
    assert line in ended.output


def test_a_pool_that_the_rules_would_fill(tmp_path: Path) -> None:
    text = 'device.driver = "reference"\ntechnology = { name = "nat64", pool = { last_port = 1100 } }\n'
    (tmp_path / "b.toml").write_text(text, encoding="utf-8")
    ended = xlatperf("check", tmp_path / "b.toml", "--all", folder=tmp_path)
    assert (ended.code, ended.output.count("\n")) == (2, 1)
    assert "--all: technology.pool: 77 pairs of address and port are not allowed: 2048 or more" in ended.output


_OF_MAPPINGS = sum(len(one.rules) for one in nat44.SCENARIOS)


def test_a_folder_of_another_device(tmp_path: Path) -> None:
    """Nothing in it is written over."""
    campaign = tmp_path / "c"
    campaign.mkdir()
    (campaign / "bench.toml").write_text('device.driver = "reference"\ntechnology.name = "nat64"\n', encoding="utf-8")
    ended = xlatperf("check", REPOSITORY / "examples/reference-siit.toml", "--all", "-o", campaign, folder=tmp_path)
    assert (ended.code, ended.output.count("\n")) == (2, 1)
    assert "a campaign's folder of reference, siit: this one's is reference, nat64" in ended.output
    assert [one.name for one in campaign.iterdir()] == ["bench.toml"]


def verdicts(rules: Iterable[RuleRecord]) -> dict[str, Verdict]:
    return {one.finding.rule.name: one.verdict for one in rules}


@more
@only_long
@needs_root
@pytest.mark.parametrize(
    "name",
    ["reference-siit", "tayga-siit", "tayga-nat64", "reference-map-e"],
)
def test_as_the_page_says(name: str, tmp_path: Path) -> None:
    """docs/conformance.md is what these devices do, with nobody behind them who mends it."""
    text = (REPOSITORY / f"examples/{name}.toml").read_text(encoding="utf-8")
    text = text.replace('driver = "tayga-nat64"\n', 'driver = "tayga-nat64"\nmend_udp_checksum = false\n')
    (tmp_path / "b.toml").write_text(text, encoding="utf-8")
    ended = xlatperf("check", tmp_path / "b.toml", "--all", "-o", "x.json", folder=tmp_path)
    assert ended.code == (0 if name == "reference-siit" else 1), ended.output
    now = ConformanceRecord.model_validate_json((tmp_path / "x.json").read_text(encoding="utf-8"))
    assert verdicts(now.rules) == verdicts(read(name).rules)


@needs_root
def test_nat44() -> None:
    """R9693-3.1: RFC 4787, RFC 5382 and RFC 5508, of this host's kernel; headers are a long test's."""
    bench = parse_bench((REPOSITORY / "examples/nft-nat44.toml").read_text(encoding="utf-8"), "b")
    with session(bench) as running:
        found = islice(tried(bench, running, lambda _: None), _OF_MAPPINGS)
        now = verdicts(records(list(found)))
    assert now == verdicts(read("vm-nat44").rules[:_OF_MAPPINGS])


@needs_root
@needs_tayga
def test_sessions() -> None:
    """RFC 6146, of the kernel's NAT44 behind TAYGA."""
    bench = parse_bench((REPOSITORY / "examples/tayga-nat64.toml").read_text(encoding="utf-8"), "b")
    then = verdicts(one for one in read("tayga-nat64").rules if not one.section.startswith("RFC 7915"))
    with session(bench) as running:
        found = islice(tried(bench, running, lambda _: None), len(then))
        assert verdicts(records(list(found))) == then
