"""Imports of lists of MAP rules (RFC 7597 §5, RFC 7599 §5): JSON, JavaScript, comma-separated values."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.imports.test_files import FOLDER, bench_of
from xlatperf.config.load import parse_bench
from xlatperf.imports.bench_text import Imported
from xlatperf.imports.formats import Format, import_file


def domains(name: str, folder: Path) -> list[tuple[object, ...]]:
    bench = bench_of(name, folder)
    keys = ("ipv6", "ipv4", "ea_bits", "psid_offset", "br" if bench.technology.name == "map-e" else "dmr")
    return [tuple(one[key] for key in keys) for one in bench.technology.model_dump()["domains"]]


def test_map_rules(tmp_path: Path) -> None:
    assert domains("map-rules.json", tmp_path) == [
        ("2001:db8:f000::/36", "198.18.128.0/20", 20, 4, "2001:db8:0:ff::1"),
        ("2001:db8:e000::/36", "198.18.144.0/20", 20, 4, "2001:db8:0:ff::1"),
    ]
    assert domains("map-rules.csv", tmp_path)[2] == (
        *("2001:db8:300::/40", "198.18.2.0/24", 12, 0),
        "2001:db8:ffff::/64",
    )
    assert domains("map-rules-of-a-router.csv", tmp_path)[2] == (
        *("2001:db8:6000::/35", "198.19.128.0/17", 21, 6),
        "2001:db8:ffff::9",
    )
    assert domains("mapcalc.txt", tmp_path) == [("2001:db8:8000::/34", "198.18.0.0/16", 22, 6, "2001:db8:ffff::9")]


@pytest.mark.parametrize(
    ("rules", "identifiers"),
    [
        ("ipv6prefix=2001:db8::/40,ipv4prefix=198.18.0.0/24,ealen=16,legacymap=1", ["draft-03"]),
        (
            "ipv6,ipv4,ea_bits,legacymap\n2001:db8::/40,198.18.0.0/24,16,0\n2001:db9::/40,198.18.1.0/24,16,1\n",
            ["rfc7597", "draft-03"],
        ),
        ('[{"ipv6": "2001:db8::/40", "ipv4": "198.18.0.0/24", "ea": 16, "legacy_map": true}]', ["draft-03"]),
        ('[{"ipv6": "2001:db8::/40", "ipv4": "198.18.0.0/24", "ea": 16, "legacy": false}]', ["rfc7597"]),
    ],
)
def test_interface_identifiers_of_the_draft(rules: str, identifiers: list[str], tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text(rules)
    text = import_file(tmp_path / "rules.txt", Format.MAP_RULES, None).text
    found = parse_bench(text, "b.toml").technology.model_dump()["domains"]
    assert [one["interface_identifier"] for one in found] == identifiers


def test_rules_with_the_well_known_prefix(tmp_path: Path) -> None:
    """RFC 6052 §3.1: hosts outside of the domain are 198.19.0.0/24 by default."""
    (tmp_path / "rules.csv").write_text("2001:db8::/40,192.0.2.0/24,16,6,64:ff9b::/96\n")
    one = import_file(tmp_path / "rules.csv", None, None)
    assert parse_bench(one.text, "b.toml").technology.model_dump()["domains"][0]["dmr"] == "2001:2:0:6464::/96"
    assert "dmr changed from 64:ff9b::/96, which must not stand for 198.19.0.0/24 (RFC 6052 §3.1)" in one.text


JAVASCRIPT = """// Rules of a provider's portal
const rules = {
  dmr: '2001:db7:ffff::64', /* its border relay */
  fmr: [
    { ipv6: "2001:db8::/32", ipv4: '198.18.0.0/16', ea_length: 24, psid_offset: 4, }, // the first
    { 'ipv6': "2001:db9::/32", ipv4: '198.19.0.0/16', ea_length: 24, psid_offset: 4 },
  ],
};
"""


@pytest.mark.parametrize("text", [JAVASCRIPT, JAVASCRIPT.replace("const rules = ", "?(").replace("};", "})")])
def test_rules_as_javascript(text: str, tmp_path: Path) -> None:
    """A DMR that is an address is MAP-E's border relay; its interface identifiers are asked for."""
    one = of_text(text, tmp_path)
    assert one.left_out == ()
    found = parse_bench(one.text, "b.toml").technology.model_dump()["domains"]
    assert [(rule["ipv6"], rule["br"], rule["psid_offset"]) for rule in found] == [
        ("2001:db8::/32", "2001:db7:ffff::64", 4),
        ("2001:db9::/32", "2001:db7:ffff::64", 4),
    ]
    assert one.text.count("rfc7597; providers with this offset often have draft-03's") == 2


def test_hosts_outside_of_the_rules(tmp_path: Path) -> None:
    """The usual ones are CEs there."""
    assert bench_of("map-rules-of-a-router.csv", tmp_path).traffic.right.hosts.prefix == "203.0.113.0/24"


def test_rules_without_a_border_relay() -> None:
    one = import_file(FOLDER / "map-rules.csv", None, "map-e")
    assert [left.place for left in one.left_out if left.matters] == ["br of 3 rules"]
    assert parse_bench(one.text, "b.toml").technology.name == "map-e"


def of_text(text: str, folder: Path) -> Imported:
    (folder / "rules").write_text(text)
    return import_file(folder / "rules", None, None)


def test_what_jool_writes_of_map_t(tmp_path: Path) -> None:
    """`jool_mapt fmrt display --csv`: `a` is the PSID offset."""
    rows = "2001:db8:ce::/51,192.0.2.0/24,13,0\n2001:db8:cf::/51,198.51.100.0/24,13,4\n"
    text = of_text(f"IPv6 Prefix,IPv4 Prefix,EA-bits Length,a\n{rows}", tmp_path).text
    assert re.findall(r"ea_bits = 13, psid_offset = (\d+)", text) == ["0", "4"]


def test_what_a_portal_says_of_all_rules(tmp_path: Path) -> None:
    """The border relay stands beside the list."""
    rule = '{"ipv6": "2001:db8:1000::/40", "ipv4": "198.51.100.0/24", "ea_length": 16, "psid_offset": 4}'
    found = of_text(f'{{"map_e": {{"br": "2001:db8:9999::1", "rules": [{rule}]}}}}', tmp_path)
    assert 'br = "2001:db8:9999::1"' in found.text
    assert not found.left_out


def test_columns_that_nobody_knows(tmp_path: Path) -> None:
    """A number may be part of the rule, a text is a remark; neither vanishes."""
    names = "ipv6,ipv4,ea_bits,offset_bits,br,comment,window"
    found = of_text(f"{names}\n2001:db8::/40,192.0.2.0/24,16,4,2001:db8:ffff::1,hello,7\n", tmp_path)
    assert "psid_offset = 4" in found.text
    assert [(one.place, one.matters) for one in found.left_out] == [("comment", False), ("window", True)]


def test_bits_beyond_a_prefix(tmp_path: Path) -> None:
    """As lists in public have them; the rule's line says it."""
    found = of_text("2001:db8:f::/36,203.0.114.5/20,20,4,2001:db8:ffff::1\n", tmp_path)
    assert 'ipv4 = "203.0.112.0/20"' in found.text
    assert "ipv4 is 203.0.114.5/20 there: the bits beyond its length are dropped" in found.text
