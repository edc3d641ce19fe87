"""What can't be read: the line, the value, what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from xlatperf.imports.formats import Format, import_file

FOLDER = Path(__file__).parent / "files"


def fault(text: str, folder: Path, wanted: Format | None = None) -> str:
    (folder / "file").write_text(text)
    with pytest.raises(ValueError, match=r"\S") as caught:
        import_file(folder / "file", wanted, None)
    return str(caught.value)


def changed(name: str, old: str, new: str) -> str:
    text = (FOLDER / name).read_text()
    assert text.count(old) == 1, old
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("name", "old", "new", "want"),
    [
        ("siitperf.conf", "IP-L-Vers 6", "IP-L-Vers 5", "line 3: IP-L-Vers: 5 is not allowed: 4 or 6"),
        ("siitperf.conf", "IP-L-Vers 6", "# IP-L-Vers 6", "IP-L-Vers: missing: the file has no line with it"),
        ("siitperf.conf", "R-Real 198.19.0.2", "R-Real 198.19.0", "line 12: IPv4-R-Real: 198.19.0 is not allowed: an"),
        (
            "siitperf.conf",
            "R-Virt 2001:2:0:1000::2",
            "R-Virt ::",
            "IPv6-R-Virt: missing: this traffic has that address",
        ),
        (
            "siitperf.conf",
            "Num-R-Nets 1",
            "Num-R-Nets 300",
            "line 25: Num-R-Nets: 300 is not allowed: a whole number, 1",
        ),
        ("siitperf.conf", "Promisc 0", "Promisc", "line 22: Promisc: missing: one value behind the key"),
        (
            "siitperf.conf",
            "MAC-L-DUT 02:00",
            "MAC-L-DUT 0200",
            "line 17: MAC-L-DUT: 0200:00:00:00:03 is not allowed: six",
        ),
        (
            "siitperf-ipv4.conf",
            "Forward 1",
            "Forward 0",
            "Forward, Reverse: missing: at least one of the two must be 1",
        ),
        (
            "siitperf-ipv4.conf",
            "IP-L-max 101",
            "IP-L-max 1",
            "line 50: IP-L-max: 1 is not allowed: a whole number, 2 to",
        ),
        (
            "siitperf-nat64.conf",
            "Stateful 1",
            "Stateful 3",
            "line 54: Stateful: 3 is not allowed: a whole number, 0 to 2",
        ),
        ("siitperf-nat64.conf", "IP-R-Vers 4", "IP-R-Vers 6", "IPv6-R-Real: missing: this traffic has that address"),
        (
            "siitperf-nat64.conf",
            "IPv6-R-offset 14",
            "IPv6-R-offset 8",
            "line 7: IPv6-R-Virt: 64:ff9b::c613:2 is not allow",
        ),
        (
            "maptperf.conf",
            "BMR-EA-Len 13",
            "BMR-EA-Len 50",
            "line 28: BMR-EA-Len: 50 is not allowed: a whole number, 0",
        ),
        ("maptperf.conf", "NUM-OF-CEs 1000", "", "NUM-OF-CEs: missing: the file has no line with it"),
        ("lwaftr.conf", "psid 22788;", "psid 22788", "line 33: psid: missing: one value"),
        ("lwaftr.conf", "psid 1;", "psid 16;", "line 38: psid: 16 is not allowed: 0 to 15"),
        ("lwaftr.conf", "bit-count 4;", "bit-count 11;", "line 50: psid-length: 6 is not allowed: with 11 bits before"),
        ("lwaftr.conf", "b4-ipv6 2001:db8:1:1::1;", "", "line 31: softwire: missing: b4-ipv6"),
        (
            "lwaftr-psid-map.conf",
            "psid 44; b4-ipv6",
            "b4-ipv6 x; b4",
            "line 9: b4-ipv6: x is not allowed: an IPv6 address",
        ),
        ("lwaftr-psid-map.conf", "br 2;", "br 3;", "line 9: br: 3 is not allowed: a whole number, 1 to 2"),
        ("lwaftr-psid-map.conf", "203.0.113.117;", "203.0.113.7;", "line 9: psid-map: missing: none has 203.0.113.7"),
        ("binding-table.txt", "aftr=1", "aftr=2", "line 12: aftr: 2 is not allowed: a whole number, 0 to 1"),
        ("binding-table.txt", "shift=11", "shift=10", "line 3: shift: 10 is not allowed: 11, which with psid_length"),
        ("map-rules.json", '"2001:db8:e000::"', '""', "rule 2: missing: ipv6"),
        (
            "map-rules.json",
            '"20",\n            "ipv4Prefix": "198.18.144',
            '"49", "ipv4Prefix": "198.18.144',
            "rule 2, eaBit",
        ),
        (
            "map-rules.json",
            '"psIdOffset": "4"\n        }\n',
            '"legacy": 7}',
            "rule 2, legacy: 7 is not allowed: rfc7597",
        ),
        ("map-rules.csv", "198.18.1.0/24", "198.18.1.0", "line 3: missing: the length of the ipv4 prefix"),
        (
            "map-rules.csv",
            "ipv6,ipv4",
            "here,there",
            "line 1: here,there,ea_bits,offset,dmr is not allowed: the names of",
        ),
        ("map-rules-of-a-router.csv", "9,22,198", "9,22,1,198", "line 1: 2001:db8:ffff::9,22,1,198.18.0.0,16"),
        (
            "mapcalc.txt",
            "psidlen=6",
            "psidlen=5",
            "line 1: psidlen: 5 is not allowed: 6: the EA bits behind the IPv4 suffix",
        ),
        ("eamt.csv", "192.0.2.2/32", "192.0.2.2/33", "line 4: mapping: 192.0.2.2/33 is not allowed: an IPv4 network"),
        (
            "eamt.csv",
            "b/128,192",
            "b/128;192",
            "line 4: 2001:db8:bbbb::b/128;192.0.2.2/32 is not allowed: two prefixes",
        ),
    ],
)
def test_one_line_names_the_place(name: str, old: str, new: str, want: str, tmp_path: Path) -> None:
    assert fault(changed(name, old, new), tmp_path).startswith(want)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("", "missing: it has no rule"),
        ("hello", "line 1: hello is not allowed: the names of columns, among them ipv6, ipv4 and ea_bits"),
        ("[1, 2]", "missing: no object in it has ipv6Prefix and ipv4Prefix"),
        ("[1, 2", "not JSON: Expecting ',' delimiter"),
        ("[" * 100_000, "not JSON: it is nested too deep"),
        ("softwire-config { binding-table { } }", "softwire: missing: it has none"),
        ("softwire-config { binding-table { }", "line 1: softwire-config: missing: its closing brace"),
        ("softwire-config { } }", "line 1: a brace that closes nothing"),
        ('softwire-config { device "0; }', "line 1: a quotation mark or comment that nothing closes"),
        ("softwire-config {" + "a {" * 1000, "line 1: nested too deep"),
        ("IPv6 Prefix,IPv4 Prefix\n", "missing: it has no mapping"),
    ],
)
def test_of_files_that_are_none(text: str, want: str, tmp_path: Path) -> None:
    assert fault(text, tmp_path).startswith(want)


def test_a_binding_table_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "lwaftr.conf").write_text((FOLDER / "lwaftr-of-before.conf").read_text())
    missing = "line 8: binding_table: binding-table.txt: can't be read: No such file or directory"
    with pytest.raises(ValueError, match=missing):
        import_file(tmp_path / "lwaftr.conf", None, None)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        (
            "type=lw4o6,ipv6prefix=2001:db8::/40,ipv4prefix=192.0.2.0/24,ealen=16,br=2001:db8:ffff::1",
            "line 1: type: lw4o6 is not allowed: map-e or map-t: this is a list of MAP rules",
        ),
        (
            "ipv6,ipv4,ea_bits,br,br\n2001:db8::/40,192.0.2.0/24,16,2001:db8:ffff::1,2001:db8:ffff::2",
            "line 2: br: 2001:db8:ffff::2 is not allowed: 2001:db8:ffff::1, as line 2: br has it",
        ),
        (
            '[{"ipv6Prefix": "2001:db8::/32", "ipv6PrefixLength": "48", "ipv4Prefix": "192.0.2.0/24", "ealen": 16}]',
            "rule 1, ipv6PrefixLength: 48 is not allowed: the length of 2001:db8::/32",
        ),
    ],
)
def test_what_contradicts_itself(text: str, want: str, tmp_path: Path) -> None:
    assert fault(text, tmp_path).startswith(want)
