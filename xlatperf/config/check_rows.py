"""Rows of a binding table's file that contradict the bench file: their addresses are the lwB4s' alone."""

from __future__ import annotations

from collections.abc import Iterator

from xlatperf.config.bench import Bench
from xlatperf.config.named_addresses import Named, links, named_network, on_side
from xlatperf.keys.addresses import HOSTS, no_hosts
from xlatperf.keys.not_allowed import refuse
from xlatperf.technologies.softwire_rows import lines_of, lwb4s_of
from xlatperf.technologies.softwires import Softwires

_KEY = "technology.softwires.table"


def check_rows(bench: Bench) -> None:
    """Raises ValueError. A row that isn't one is the engine's to tell."""
    table = bench.technology.binding_table
    if table is None or table.file is None:
        return
    _check_lwb4s(bench, table)
    others = _others(bench.widest)
    suspects = {
        network
        for network in table.rows.networks
        if next(_faults(named_network(_KEY, f"{network}.0/24"), others), None) is not None
    }
    if not suspects:
        return
    for line, address in lines_of(table.file):
        if address.rpartition(".")[0] in suspects:
            for allowed in _faults(named_network(_KEY, f"{address}/32"), others):
                refuse(f"{_KEY}: line {line}: ipv4", address, allowed)


def _check_lwb4s(bench: Bench, table: Softwires) -> None:
    """Hosts' addresses, and neither of the DUT's on the links, unless it's an lwB4 itself; the Tester's own may be."""
    sides = (("left", bench.tester.left), ("right", bench.tester.right)) if table.number is None else ()
    duts = {side.gateway_ipv6: f"the DUT's, tester.{name}.gateway_ipv6" for name, side in sides}
    met = {address: whose for address, whose in duts.items() if table.rows.has_lwb4(address)}
    if table.file is None or (not met and not table.rows.nobodys_lwb4()):
        return
    for line, address in lwb4s_of(table.file):
        if address.is_link_local or no_hosts(address):
            refuse(f"{_KEY}: line {line}: ipv6", str(address), HOSTS)
        if (whose := met.get(str(address))) is not None:
            refuse(f"{_KEY}: line {line}: ipv6", str(address), f"another address than {whose}")


def _others(bench: Bench) -> list[tuple[Named, str]]:
    """Who else has addresses on either side, and what is allowed beside it."""
    beside = links(bench.technology, bench.traffic, bench.tester)
    found = [
        (link, f"an address outside of the link of {link.place}, {link.value}")
        for each in beside.values()
        for link in each
    ]
    hosts = on_side("right", bench.technology, bench.traffic)
    return found + [(one, f"an address that isn't one of {one.place}, {one.value}") for one in hosts]


def _faults(own: Named, others: list[tuple[Named, str]]) -> Iterator[str]:
    if own.nobodys:
        yield HOSTS
    yield from (allowed for other, allowed in others if own.meets(other))
