"""The same rules, mappings and softwires, however they are written; and no text but gives a result or one line."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xlatperf.config.load import parse_bench
from xlatperf.devices import binding_formats
from xlatperf.devices.binding_formats import Row
from xlatperf.imports.bench_text import Imported
from xlatperf.imports.formats import Format, import_file
from xlatperf.imports.javascript import is_javascript, json_of

Rule = tuple[IPv6Network, IPv4Network, int, int, IPv6Address]
"""Rule IPv6 prefix, Rule IPv4 prefix, EA bits, PSID offset, border relay."""
Softwire = tuple[IPv6Address, IPv4Address, int, int, IPv6Address, st.DataObject]
IPV4 = st.integers(0, 2**32 - 1).map(IPv4Address)
IPV6 = st.integers(0, 2**128 - 1).map(IPv6Address)


def imported(text: str, wanted: Format | None = None) -> Imported:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_text(text, encoding="utf-8", newline="")
        return import_file(path, wanted, None)


@st.composite
def rules(draw: st.DrawFn) -> list[Rule]:
    """Consistent ones: the CEs' prefixes have at most 64 bits."""
    found = []
    for index in range(draw(st.integers(1, 8))):
        ipv4_length = draw(st.integers(16, 24))
        psid = draw(st.integers(0, 8))
        ea_bits = 32 - ipv4_length + psid
        base = 0x20010DB8 << 96 | index << 80
        ipv6 = IPv6Network((base, draw(st.integers(48, 64 - min(16, ea_bits)))))
        ipv4 = IPv4Network((0x0A000000 + (index << 16), ipv4_length))
        found.append((ipv6, ipv4, min(ea_bits, 64 - ipv6.prefixlen), draw(st.integers(0, 6)), IPv6Address(1 + index)))
    return found


def as_json(all_of: list[Rule]) -> str:
    return json.dumps(
        [
            {"ipv6Prefix": str(ipv6[0]), "ipv6PrefixLength": str(ipv6.prefixlen), "psIdOffset": offset}
            | {"ipv4Prefix": str(ipv4[0]), "ipv4PrefixLength": ipv4.prefixlen}
            | {"eaBitLength": bits, "brIpv6Address": str(br)}
            for ipv6, ipv4, bits, offset, br in all_of
        ]
    )  # fmt: skip


WRITTEN: dict[str, Callable[[list[Rule]], str]] = {
    "json": as_json,
    "jsonp": lambda all_of: f"?({as_json(all_of)});",
    "header": lambda all_of: "\n".join(
        ["IPv4 prefix,EA-bits,rule_ipv6_prefix,PSID offset,BR", *(f"{b},{c},{a},{d},{e}" for a, b, c, d, e in all_of)]
    ),
    "prefixes": lambda all_of: "\n".join(f"{a},{b},{c},{d},{e}" for a, b, c, d, e in all_of),
    "router": lambda all_of: "\n".join(
        f"{e},{c},{b[0]},{b.prefixlen},{a[0]},{a.prefixlen},{d}" for a, b, c, d, e in all_of
    ),
    "named": lambda all_of: "\n".join(
        f"type=map-e,ipv6prefix={a[0]},prefix6len={a.prefixlen},ipv4prefix={b},ealen={c},offset={d},br={e}"
        for a, b, c, d, e in all_of
    ),
}


@pytest.mark.parametrize("how", WRITTEN)
@given(all_of=rules())
def test_map_rules(how: str, all_of: list[Rule]) -> None:
    text = imported(WRITTEN[how](all_of)).text
    domains = [line for line in text.splitlines() if line.startswith("    { ipv6")]
    want = [
        f'    {{ ipv6 = "{a}", ipv4 = "{b}", ea_bits = {c}, psid_offset = {d}, br = "{e}" }},'
        for a, b, c, d, e in all_of
    ]
    assert [line.partition("    #")[0] for line in domains] == want


SOFTWIRES = st.lists(
    st.tuples(IPV6, IPV4, st.integers(0, 6), st.integers(0, 10), IPV6, st.data()), min_size=1, max_size=20
)


@given(softwires=SOFTWIRES)
def test_what_xlatperf_writes_for_snabb(
    softwires: list[Softwire],
) -> None:
    """`xlatperf softwires --format snabb`, and back."""
    rows = [
        Row(str(b4), str(ipv4), str(offset), str(length), str(data.draw(st.integers(0, 2**length - 1))), str(lwaftr))
        for b4, ipv4, offset, length, lwaftr, data in softwires
    ]
    text = "\n".join(binding_formats.snabb(iter(rows)))
    assert imported(text).table == tuple(binding_formats.csv(iter(rows)))


@st.composite
def mappings(draw: st.DrawFn) -> list[tuple[IPv6Network, IPv4Network]]:
    count = draw(st.integers(1, 20))
    lengths = [draw(st.integers(24, 32)) for _ in range(count)]
    return [
        (
            IPv6Network((0x20010DB8 << 96 | index << 64, draw(st.integers(64, 96 + length)))),
            IPv4Network((0x0A000000 + (index << 8), length)),
        )
        for index, length in enumerate(lengths)
    ]


@given(rows=mappings(), header=st.booleans())
def test_jool(rows: list[tuple[IPv6Network, IPv4Network]], header: bool) -> None:
    text = "IPv6 Prefix,IPv4 Prefix\n" * header + "".join(f"{ipv6},{ipv4}\n" for ipv6, ipv4 in rows)
    bench = parse_bench(imported(text).text, "b.toml")
    want = tuple({"ipv4": str(ipv4), "ipv6": str(ipv6)} for ipv6, ipv4 in rows)
    assert bench.technology.model_dump()["eam"] == want
    hosts = IPv4Network(bench.traffic.left.hosts.prefix)
    assert any(hosts.subnet_of(ipv4) for _, ipv4 in rows)


WORDS = st.sampled_from(
    [
        "IP-L-Vers",
        "BMR-EA-Len",
        "softwire",
        "softwires",
        "psid_map",
        "{",
        "}",
        ";",
        ",",
        "=",
        "ipv4",
        "1",
        "6",
        "::1",
        "192.0.2.1/24",
        "#",
        "\n",
        '"',
    ]
)


@given(
    text=st.one_of(st.text(), st.lists(WORDS).map(" ".join)),
    wanted=st.one_of(st.none(), st.sampled_from(list(Format))),
)
def test_any_text(text: str, wanted: Format | None) -> None:
    with contextlib.suppress(ValueError, OSError):
        assert imported(text, wanted).text


NAMES = st.from_regex(r"\A[A-Za-z_$][A-Za-z0-9_$]{0,8}\Z")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(NAMES, inside, max_size=3),
    max_leaves=8,
)
JSON_VALUES = st.lists(VALUES, max_size=3) | st.dictionaries(NAMES, VALUES, max_size=3)


def written(value: object, draw: Callable[[st.SearchStrategy[str]], str]) -> str:
    """As JavaScript may have it: names without quotes, commas behind the last one, comments anywhere."""
    gap = st.sampled_from(("", " ", "\n", "/* , ] */", "// } \n"))
    if isinstance(value, list):
        inside = [draw(gap) + written(one, draw) + draw(gap) for one in value]
        return "[" + ",".join(inside) + (draw(st.sampled_from(("", ","))) if inside else "") + draw(gap) + "]"
    if isinstance(value, dict):
        inside = [f"{draw(gap)}{name}{draw(gap)}:{draw(gap)}{written(one, draw)}" for name, one in value.items()]
        return "{" + ",".join(inside) + (draw(st.sampled_from(("", ","))) if inside else "") + draw(gap) + "}"
    if isinstance(value, str) and value.isprintable() and not set(value) & set("\\'") and draw(gap):
        return f"'{value}'"
    return json.dumps(value)


@given(JSON_VALUES, st.sampled_from(("{}", "const a = {};", " f ( {} ) ;\n", "// x\nvar b={}", "({})")), st.data())
def test_javascript_is_read_as_its_json(value: object, around: str, data: st.DataObject) -> None:
    text = around.replace("{}", written(value, lambda strategy: data.draw(strategy)))
    assert is_javascript(text)
    assert json.loads(json_of(text)) == value
