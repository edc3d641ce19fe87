"""What lab and devices ask of the host's kernel is in the list of plain features: nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from xlatperf.lab.kernel_features import LINK_KINDS, PROGRAMS, ROUTE_ATTRIBUTES

ELSEWHERE = {"machine", "remote"}
"""Folders of what runs on another kernel."""
REPOSITORY = Path(__file__).resolve().parents[2]
SOURCES = sorted((REPOSITORY / "xlatperf").rglob("*.py"))
SCRIPTED = [
    path
    for folder in ("xlatperf", "tests", "bench", "examples", "scripts", "docs")
    for path in sorted((REPOSITORY / folder).rglob("*"))
    if path.suffix in (".py", ".toml", ".sh", ".md") and path != Path(__file__)
]
CHANGE = re.compile(
    r"(?:\bip (?:-[46] |-n \S+ )*|\b_ip\(\w+, f?\")"
    r"([a-z]+) (?:add|append|replace|change|del|delete|flush|set) ([^\n\"'`;|]*)"
    r"|\b(tc) (?:qdisc|class|filter|action|chain)()\b"
)
"""A command that changes a network, typed or as words of a program: of what, and how."""
OBJECTS = {"netns", "link", "address", "route", "neighbor", "neigh", "rule"}
OF_RULES = {"daddr", "dscp", "id", "saddr", "ttl"}
"""Fields of headers in rules of nftables, which read like such commands."""
OF_ROUTES = {"default", "via", "dev", "mtu", "lock", "prohibit", "table"}
"""A next hop, an MTU, or a refusal, in a table."""
OF_VPP = re.compile(r"memif\d+/\d+")  # whose routes aren't the kernel's
ADDRESS_OR_NUMBER = re.compile(r"[0-9a-f.:/]+|\{\w+\}")


def calls(path: Path) -> Iterator[ast.Call]:
    yield from (one for one in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(one, ast.Call))


def words(value: ast.expr) -> list[str]:
    """The fixed words with which a command begins, behind that which says where it runs, until one varies."""
    found: list[str] = []
    for one in value.elts if isinstance(value, ast.Tuple | ast.List) else []:
        if isinstance(one, ast.Starred) and not found:
            continue
        if not (isinstance(one, ast.Constant) and isinstance(one.value, str)):
            break
        found.append(one.value)
    return found


def keywords(name: str, verb: str) -> set[str]:
    """Of the calls of pyroute2 in the lab that do this."""
    found: set[str] = set()
    for call in calls(REPOSITORY / "xlatperf/lab/network.py"):
        fixed = [one.value for one in call.args if isinstance(one, ast.Constant)]
        if name in fixed and verb in fixed:
            found |= {one.arg for one in call.keywords if one.arg}
            found |= {
                key.value
                for one in call.keywords
                if one.arg is None and isinstance(one.value, ast.Dict)
                for key in one.value.keys
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
            }
    return found


def test_links_are_of_plain_kinds() -> None:
    kinds = {
        keyword.value.value
        for path in SOURCES
        for call in calls(path)
        for keyword in call.keywords
        if keyword.arg == "kind" and isinstance(keyword.value, ast.Constant) and "lab" in path.parts
    }
    assert kinds == LINK_KINDS


def test_routes_have_no_more_than_a_next_hop() -> None:
    assert keywords("route", "replace") | {"gateway"} == ROUTE_ATTRIBUTES


def test_programs_are_known() -> None:
    """Each command that lab and drivers run begins with one that is in the list, and `ip` makes namespaces alone."""
    seen: dict[str, set[str]] = {}
    for path in SOURCES:
        if {"lab", "devices"}.isdisjoint(path.parts) or not ELSEWHERE.isdisjoint(path.parts):
            continue  # what makes a virtual machine reads and writes files
        for call in calls(path):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            if name not in ("run", "run_command", "Daemon", "daemon", "Popen"):
                continue
            for argument in call.args:
                if fixed := words(argument):
                    seen.setdefault(fixed[0], set()).update(fixed[1:2])
    del seen["sh"]  # the user's own commands
    assert set(seen) <= PROGRAMS, seen
    assert seen["ip"] == {"netns"}


def not_plain(text: str) -> list[str]:
    """Typed commands that ask the kernel for more than interfaces, addresses, routes and neighbours of plain kinds."""
    one_line = re.sub(r"\", f?\"", " ", text)
    return [one[0] for one in CHANGE.finditer(one_line) if not _plain(one[1] or one[3], one[2] or "")]


def _plain(subject: str, rest: str) -> bool:
    words = rest.split()
    if subject == "link":
        return set(re.findall(r"\btype (\w+)", rest)) <= LINK_KINDS
    if subject == "route":
        ports = {after for word, after in pairwise(words) if word in ("dev", "table")}
        ports |= {word for word in words if OF_VPP.fullmatch(word)}
        return all(word in OF_ROUTES | ports or ADDRESS_OR_NUMBER.fullmatch(word) for word in words)
    return subject in OBJECTS | OF_RULES


def test_nothing_else_is_typed() -> None:
    """In tests, examples and pages; a user's own device may be what it likes, and VPP's commands are no kernel's."""
    elsewhere = {"machine", "vpp"}
    found = {path: not_plain(path.read_text(encoding="utf-8")) for path in SCRIPTED if not elsewhere & set(path.parts)}
    assert not {name: asked for name, asked in found.items() if asked}
    assert any(CHANGE.search(path.read_text(encoding="utf-8")) for path in SCRIPTED if path.suffix == ".md")


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ip link add t0 type veth peer name d0", True),
        ("ip link add t0 type another", False),
        ("ip -6 another add t0 dev d0", False),
        ("ip route add 2001:2::/48 via 2001:2:0:7fff::2 dev d0", True),
        ("ip route replace prohibit 198.19.0.0/16", True),
        ("ip route add 198.18.0.0/15 another mode dev d0", False),
        ("ip -n dut rule add iif d1 to 198.18.0.0/24 lookup 7", True),
        ("ip -n dut route add 198.18.0.0/15 another mode dev d0", False),
        ('run_command(("ip", "link", "add", "t0", "type", "another"))', False),
        ('_ip(dut, "another add dev d0")', False),
        ("tc qdisc add dev t0 root netem delay 1ms", False),
        ("ip daddr 198.19.0.3 ip daddr set 198.19.0.1", True),
        ("ip protocol udp ip id set 7", True),
    ],
)
def test_what_is_plain(line: str, plain: bool) -> None:
    assert (not_plain(line) == []) is plain
