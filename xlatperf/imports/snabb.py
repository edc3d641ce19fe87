"""Snabb's lwAFTR: a configuration (snabb-softwire-v1 to v3), one of before, or a binding table of before."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Address
from pathlib import Path

from xlatperf.devices.binding_formats import csv
from xlatperf.files.reading import read_text, why
from xlatperf.imports.bench_text import BenchText, Imported
from xlatperf.imports.found import Found
from xlatperf.imports.links import hosts_outside, outside
from xlatperf.imports.snabb_interfaces import Interfaces, of_configuration, on_a_stick, write_links
from xlatperf.imports.snabb_of_before import binding_table_of_before, interfaces_of_before, settings_of_before
from xlatperf.imports.softwire_rows import SharedAddresses, Sharing, Softwire, port_set, rows_of
from xlatperf.imports.statements import Statement, parse_statements


def snabb(text: str, source: str, folder: Path) -> Imported:
    """`folder`: where the file is, that a `binding_table` of before is relative to. Raises ValueError and OSError."""
    bench = BenchText(source)
    bench.begin("An lwAFTR (Lw4o6, RFC 7596)", "Lw4o6 lwAFTR", "lw4o6", "Snabb's lwAFTR has no other")
    settings, stick = settings_of_before(text), None
    if settings is not None:
        interfaces = interfaces_of_before(settings, bench)
        softwires = _beside(settings["binding_table"], folder)
    else:
        whole = parse_statements(text)
        configuration = whole.one("softwire-config") or whole
        table = configuration.one("binding-table")
        softwires = _softwires(table) if table is not None else binding_table_of_before(text)
        interfaces, stick = of_configuration(configuration, bench), on_a_stick(configuration)
    if not softwires:
        raise ValueError("softwire: missing: it has none")
    return _write(bench, softwires, interfaces, stick)


def _beside(named: Found, folder: Path) -> list[Softwire]:
    """Of the file that a configuration of before names."""
    try:
        return binding_table_of_before(read_text(folder / named.text))
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{named.origin}: {named.text}: can't be read: {why(error)}") from error
    except ValueError as error:
        raise ValueError(f"{named.origin}: {named.text}: {error}") from error


def _write(bench: BenchText, softwires: list[Softwire], interfaces: Interfaces, stick: Found | None) -> Imported:
    lines = f"line {softwires[0].line} to line {softwires[-1].line}" if len(softwires) > 1 else "the softwire"
    bench.table("technology.softwires")
    bench.key("table", bench.TABLE, f"{lines}: {len(softwires)} softwires")
    write_links(bench, interfaces, stick)
    shared = {one.ipv4 for one in softwires}
    hosts_outside(bench, outside([IPv4Network(address) for address in shared]))
    bench.measure("throughput", "not in the file")
    return bench.done(csv(rows_of(softwires)))


def _softwires(table: Statement) -> list[Softwire]:
    """Of all versions: the port set is the softwire's own or its address's, the border router's address or a number."""
    routers = [address for one in table.all("br-address") for address in one.values]
    shared = Sharing(_shared(one) for one in table.all("psid-map"))
    return [_softwire(one, routers, shared) for one in table.all("softwire")]


def _shared(one: Statement) -> SharedAddresses:
    first, last = one.need("addr"), one.found("end-addr")
    length, shift = one.found("psid-length"), one.found("shift")
    bits = length.whole(0, 16) if length is not None else 16 - (shift.whole(0, 16) if shift is not None else 16)
    offset = 16 - bits - shift.whole(0, 16 - bits) if shift is not None else 0
    place = f"line {one.line}: psid-length"
    return SharedAddresses(first.ipv4(), (last or first).ipv4(), port_set(bits, offset, place))


def _softwire(one: Statement, routers: list[str], shared: Sharing) -> Softwire:
    ipv4 = one.need("ipv4").ipv4()
    own = one.one("port-set", "psid-map")
    if own is not None:
        length, offset = own.found("psid-length"), own.found("reserved-ports-bit-count")
        bits = 0 if length is None else length.whole(0, 16)
        ports = port_set(bits, 0 if offset is None else offset.whole(0, 16), f"line {own.line}: psid-length")
    else:
        ports = shared.of(ipv4, f"line {one.line}: psid-map")
    psid = one.found("psid")
    return Softwire(
        one.need("b4-ipv6").ipv6(),
        ipv4,
        0 if psid is None else psid.whole(0, 65535),
        ports,
        _router(one, routers),
        one.line,
    )


def _router(one: Statement, routers: list[str]) -> IPv6Address:
    own = one.found("br-address")
    if own is not None:
        return own.ipv6()
    number = one.found("br")
    index = 1 if number is None else number.whole(1, max(1, len(routers)))
    if not routers:
        raise ValueError(f"line {one.line}: br-address: missing: neither the softwire nor the binding table has one")
    return Found("br-address", routers[index - 1], one.line).ipv6()
