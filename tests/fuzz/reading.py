"""Fuzzers of all that Python reads, by Atheris: python -m tests.fuzz.reading TARGET FOLDER [option ...] [corpus ...].

Options are libFuzzer's; what is read as a file is written into FOLDER. A file of any content gives a result or lines
that say what is wrong; never another exception.
"""

from __future__ import annotations

import contextlib
import json
import random
import sys
import tomllib
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Any

import atheris

with atheris.instrument_imports(include=["xlatperf"]):
    from xlatperf.commands.report import report_again
    from xlatperf.config.errors import BenchError
    from xlatperf.config.load import parse_bench
    from xlatperf.config.request import configure_message, open_message
    from xlatperf.conformance.bindings import Binding, End, binding_of, ports_of
    from xlatperf.conformance.came import Came, is_of
    from xlatperf.conformance.nat44.rewriting import rewritten
    from xlatperf.conformance.nat44.rules import TWICE
    from xlatperf.conformance.nat44.twice import TwiceEnds
    from xlatperf.conformance.packet import Ipv4, parse
    from xlatperf.conformance.reassembly import reassembled
    from xlatperf.conformance.rfc7915 import rules as rfc7915
    from xlatperf.conformance.tunnel import rules as tunnel
    from xlatperf.conformance.tunnel.ends import makes as of_tunnels
    from xlatperf.conformance.tunnel.hairpin import hairpin_rules
    from xlatperf.conformance.tunnel.standard import LWAFTR
    from xlatperf.failures import KnownFailure
    from xlatperf.imports.formats import Format, import_file
    from xlatperf.report import histogram
    from xlatperf.run.journal import Journal
    from xlatperf.run.journal_line import NONE_BEFORE, written
    from xlatperf.run.runs import cells, runs
    from xlatperf.technologies.softwire_rows import lines_of, rows_seen

from tests.conformance.nat44 import setup
from tests.conformance.test_hairpin_rules import WAY
from tests.conformance.translator import FROM_IPV4, FROM_IPV6
from tests.conformance.tunnel_end import both_ways

BINDING = Binding(17, End(IPv6Address(1), 1), End(IPv4Address(1), 1))
OF_NAT44 = Binding(17, End(IPv4Address(1), 1), End(IPv4Address(2), 2))
CLIENTS = setup(TwiceEnds).clients
INTO, OUT = both_ways(edge=False)
PROBES = [
    make(way.ends.marked(b"xlat"))
    for way, makes in (
        (FROM_IPV4, rfc7915.FROM_IPV4),
        (FROM_IPV6, rfc7915.FROM_IPV6),
        (INTO, of_tunnels(tunnel.into(LWAFTR))),
        (OUT, of_tunnels(tunnel.out_of(LWAFTR))),
        (WAY, of_tunnels(hairpin_rules(LWAFTR))),
        (CLIENTS.outward, TWICE.out),
        (CLIENTS.inward, TWICE.back),
    )
    for make in makes
]
Mutator = Callable[[bytes, int, int], bytes]
"""Of a content, the most bytes that it may have, and a seed."""
LONGEST_LINE = 4000
BY_VALUE = 0.8
"""Of the changes."""
VALUES: Sequence[Any] = (
    *(None, True, -1, 0, 1, 2**63, -(2**70), 1e308, -0.0, [], {}, [[]], {"a": 1}),
    *("", "a\nb", "\x1b[1m", "<b>", "=1+1", "../../x"),
)


def told(failure: KnownFailure) -> None:
    """It is lines of some length."""
    assert failure.told, "a failure that says nothing"
    assert all(len(line) < LONGEST_LINE for line in failure.told)


def bench(content: bytes, _: Path) -> None:
    """A bench file: what a campaign would ask the engine for, and which runs it has."""
    try:
        found = parse_bench(content.decode("utf-8", errors="ignore"), "b.toml")
    except BenchError as error:
        return told(error)
    for cell in cells(found):
        configure_message(found, cell.mix)
    open_message(found, "net_ring0", "net_ring1")
    runs(found)
    return None


def journal(content: bytes, folder: Path) -> None:
    """Lines with right checksums, or as they are."""
    path = folder / "journal.jsonl"
    lines: list[bytes] = []
    before: str | None = NONE_BEFORE
    for line in content[1:].splitlines(keepends=True):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if content[0] % 2 and isinstance(record, dict) and record:
            line, before = written(record, before)
        lines.append(line)
    path.write_bytes(b"".join(lines))
    try:
        Journal(path, from_line=content[0] >> 1 or None).close()
    except KnownFailure as error:
        told(error)


def results(content: bytes, folder: Path) -> None:
    """results.json of a folder that was handed round, and the report of it."""
    (folder / "results.json").write_bytes(content)
    try:
        report_again(folder)
    except KnownFailure as error:
        told(error)


def delays(content: bytes, folder: Path) -> None:
    """A histogram's file, as the report reads it."""
    (folder / "h.json").write_bytes(content)
    for traffic_class in (None, "foreground", "background"):
        with contextlib.suppress(OSError, ValueError):
            histogram.read(folder / "h.json", "forward", traffic_class=traffic_class)


def softwires(content: bytes, folder: Path) -> None:
    """The rows of a binding table."""
    path = folder / "softwires.csv"
    path.write_bytes(content)
    seen = rows_seen(path, content[0])
    assert seen.free_port is None or 0 < seen.free_port < 1 << 16
    assert all(line > 0 for line, _ in lines_of(path))
    path.unlink()


def packets(content: bytes, _: Path) -> None:
    """What comes back of single packets, as each rule's probe judges it."""
    far, near = (parse(part) for part in (content[2 : 2 + content[1]], content[2 + content[1] :]))
    probe = PROBES[content[0] % len(PROBES)]
    seen = [[one] if one is not None and is_of(one, probe.packets, b"xlat") else [] for one in (far, near)]
    found = list(probe.judge(Came(tuple(seen[0]), tuple(seen[1]))))
    assert [one.rule for one in found] == list(probe.rules)
    came = [one for one in (far, near) if one is not None]
    whole = reassembled(came)
    assert whole is None or not whole.is_fragment
    for one in came:
        assert ports_of(one) is None or binding_of(one, (BINDING,)) in (None, BINDING)
        if isinstance(one, Ipv4):
            assert rewritten(one, (OF_NAT44,), outward=True).ttl == one.ttl


def imports(content: bytes, folder: Path) -> None:
    """Another program's configuration: a bench file, or one line. The first byte says as which format it's read."""
    path = folder / "file"
    path.write_bytes(content[1:])
    formats = [None, *Format]
    wanted, technology = formats[content[0] % len(formats)], (None, "map-e", "map-t")[content[0] % 3]
    lines: list[str] = []
    try:
        parse_bench(import_file(path, wanted, technology).text, "b.toml")
    except BenchError as error:
        told(error)
        lines = error.told
    except (ValueError, OSError) as error:
        lines = [str(error)]
    assert all(line.strip() for line in lines), "a failure that says nothing"
    assert not any("not TOML" in line for line in lines), lines


TARGETS: dict[str, Callable[[bytes, Path], None]] = {
    one.__name__: one for one in (bench, imports, journal, results, delays, softwires, packets)
}


def changed(value: Any, dice: random.Random) -> Any:
    """A document in which one value is another."""
    if isinstance(value, dict) and value and dice.random() < 0.98:
        key = dice.choice(list(value))
        if dice.random() < 0.05:
            return {name: one for name, one in value.items() if name != key}
        return {**value, key: changed(value[key], dice)}
    if isinstance(value, list) and value and dice.random() < 0.95:
        index = dice.randrange(len(value))
        return [*value[:index], changed(value[index], dice), *value[index + 1 :][: dice.choice((None, 0, 1))]]
    if isinstance(value, int | float) and dice.random() < 0.5:
        return value + dice.choice((-1, 1, 0.5, 1000)) if abs(value) < 2**62 else -value
    return dice.choice(VALUES)


def by_value(parse: Callable[[str], Any], text: Callable[[Any], str]) -> Mutator:
    """Of a document, so that it's still one; sometimes by bytes."""

    def mutated(content: bytes, most: int, seed: int) -> bytes:
        dice = random.Random(seed)
        with contextlib.suppress(ValueError, RecursionError):
            if dice.random() < BY_VALUE:
                return text(changed(parse(content.decode()), dice)).encode()[:most]
        return bytes(atheris.Mutate(content, most))

    return mutated


def as_toml(value: Any) -> str:
    """A value in one line; what TOML doesn't have is a text."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {as_toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    return json.dumps(value if isinstance(value, bool | int | float | str) else str(value))


def bench_file(value: Any) -> str:
    """A line for each table."""
    entries = value.items() if isinstance(value, dict) else ()
    return "".join(f"{json.dumps(key)} = {as_toml(one)}\n" for key, one in entries)


JSON = by_value(json.loads, json.dumps)


def mutated_lines(content: bytes, most: int, seed: int) -> bytes:
    """One of the documents behind the first byte, which stays."""
    dice = random.Random(seed)
    lines = content[1:].splitlines()
    if not lines or dice.random() < 0.1:
        return bytes(atheris.Mutate(content, most))
    index = dice.randrange(len(lines))
    lines[index] = JSON(lines[index], most, seed)
    return (content[:1] + b"\n".join(lines) + b"\n")[:most]


MUTATED = {"bench": by_value(tomllib.loads, bench_file), "journal": mutated_lines, "results": JSON, "delays": JSON}


def main() -> None:
    """Until libFuzzer's own options say that it's enough."""
    name = sys.argv.pop(1)
    folder = Path(sys.argv.pop(1))
    folder.mkdir(exist_ok=True)

    def one(content: bytes) -> None:
        if len(content) > 1:
            TARGETS[name](content, folder)

    mutator = {"custom_mutator": MUTATED[name]} if name in MUTATED else {}
    atheris.Setup(sys.argv, one, internal_libfuzzer=True, **mutator)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
