"""A bench file with `[[device]]` twice: the benches of each device alone and of both in a row (RFC 8219 §4.1, §4.2).

`[technology]` is that of one of them, from which the other's follows; traffic and measures are those of both together.
"""

from __future__ import annotations

import copy
import ipaddress
import re
from collections.abc import Callable
from typing import Any

from xlatperf.config.bench import Alone, Bench
from xlatperf.config.defaults import fill
from xlatperf.config.errors import BenchError
from xlatperf.devices.between import ADDRESSES, BETWEEN
from xlatperf.devices.in_a_row import InARowDriver, of_device, unfit
from xlatperf.devices.registry import DEFAULT as DEFAULT_DRIVER
from xlatperf.keys.in_words import plural
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.keys.toml_text import toml_value
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.registry import BY_NAME as PROCEDURES
from xlatperf.procedures.shared_keys import AfterPhase1
from xlatperf.technologies import registry as technologies
from xlatperf.technologies.in_a_row import INNER, SIDES, InARow
from xlatperf.technologies.translation_prefix import embedded

Tables = dict[str, Any]
Made = Callable[[Tables, str], Bench]

_OF_CONNECTIONS = AfterPhase1.model_fields.keys() - Procedure.model_fields.keys()
_MOST_LENGTH = 24
MADE_OF_TWO = "made by xlatperf from the bench file of two devices in a row"
"""In the first line of the bench file of one of them."""


def bench_of_two(raw: Tables, name: str, made: Made) -> Bench:
    """The bench of both, which knows those of each alone. `made` checks one's tables. Raises BenchError."""
    devices = raw["device"]
    if len(devices) != 2:
        allowed = "one table, as [device] in single brackets, or two of [[device]]: two devices in a row"
        given = plural(len(devices), "table [[device]]", "tables [[device]]")
        raise BenchError([f"{name}: {not_allowed('device', given, allowed)}"])
    for place in ("column", "report"):
        if place in raw:
            raise BenchError([f"{name}: {not_allowed(place, 'a table', 'nothing with two devices in a row')}"])
    devices = [{"driver": DEFAULT_DRIVER, **one} for one in devices]
    row = _in_a_row(raw, name, made)
    if others := [line for at, device in enumerate(devices) if (line := _unfit(at, device, row)) is not None]:
        raise BenchError([f"{name}: {line}" for line in others])
    if wrong := [line for at, device in enumerate(devices) for line in _wrong_keys(at, device, row, name, made)]:
        raise BenchError(wrong)
    common = {**raw, "device": devices, "traffic": _traffic(raw, row)}
    common["measure"] = _measures(common, row)
    title = raw.get("title", f"{row.names[0]} and {row.names[1]} in a row")
    both = {**common, "title": title, "technology": dict(row.both)}
    both["device"] = {"driver": "in-a-row", "devices": devices, "names": list(row.names)}
    if isinstance(both["traffic"], dict):
        both["traffic"] = {"hops": "learn", **both["traffic"]}
    try:
        bench = made(both, name)
    except BenchError as error:  # of a technology that the file doesn't name
        own = f"with (technology {row.both['name']}|driver = {InARowDriver.named()})(?![\\w-])"
        lines = [line.replace("device.mtu is", "the smaller mtu of both is") for line in error.lines]
        raise BenchError([re.sub(own, "with two devices in a row", line) for line in lines]) from error
    try:
        if isinstance(bench.device, InARowDriver):
            bench.device.refuse_impossible()
    except ValueError as error:
        raise BenchError([f"{name}: {error}"]) from error
    return bench.with_alone({whose: _alone_at(place, common, row, name, made) for place, whose in enumerate(row.names)})


def _unfit(place: int, device: Tables, row: InARow) -> str | None:
    """Why that driver can't be this device, whatever its keys are; a name that no driver has is told with them."""
    table = dict(row.alone[SIDES[place]])
    model = technologies.of(table)
    if model is None or not isinstance(device["driver"], str):
        return None
    technology = model.model_validate(fill({"technology": table})["technology"]).message()
    return unfit(place, device["driver"], row.names[place], technology)


def _wrong_keys(place: int, device: Tables, row: InARow, name: str, made: Made) -> list[str]:
    """What is wrong with a device's own keys, whatever else is."""
    try:
        made({"technology": dict(row.alone[SIDES[place]]), "device": device}, name)
    except BenchError as error:
        own = [line for line in error.lines if line.startswith(f"{name}: device.")]
        return [_of_device(line, name, place, row.names[place]) for line in own]
    return []


def _alone_at(place: int, common: Tables, row: InARow, name: str, made: Made) -> Alone:
    """`common`: what the bench of both was found to be right with."""
    own = {"title": f"{common['title']}: the {row.names[place]} alone"} if "title" in common else {}
    own.setdefault("title", f"The {row.names[place]} alone")
    tables = {**_alone(common, row, SIDES[place]), **own, "device": common["device"][place]}
    head = f"# The {row.names[place]} alone: {MADE_OF_TWO}.\n"
    try:
        return Alone(
            made(tables, name), head + "".join(f"{key} = {toml_value(value)}\n" for key, value in tables.items())
        )
    except BenchError as error:
        raise BenchError([_of_device(line, name, place, row.names[place]) for line in error.lines]) from error


def _in_a_row(raw: Tables, name: str, made: Made) -> InARow:
    known = made({"technology": copy.deepcopy(raw.get("technology", {}))}, name)
    try:
        row = known.technology.in_a_row()
    except ValueError as error:
        raise BenchError([f"{name}: technology.{error}"]) from error
    if row is None:
        allowed = f"with two devices, {technologies.IN_A_ROW}"
        raise BenchError([f"{name}: {not_allowed('technology.name', known.technology.name, allowed)}"])
    return row


def _of_device(line: str, name: str, place: int, whose: str) -> str:
    """What a bench of one device lacks, by the key of the file."""
    said = line.removeprefix(f"{name}: ")
    by_key = of_device(said, place)
    return f"{name}: {by_key}" if by_key != said else f"{name}: for the {whose} alone, {said}"


def _traffic(raw: Tables, row: InARow) -> Any:
    """Of both. Frame sizes are those of IPv4, which is what all three have in common."""
    given = raw.get("traffic", {})
    if not isinstance(given, dict):
        return given
    traffic = {"frame_size_of": "ipv4", **copy.deepcopy(given)}
    model = technologies.of(row.left)
    stateful = row.left if model is not None and model.stateful else row.both
    filled = fill({"technology": dict(stateful), "traffic": traffic})["traffic"]
    return {**traffic, "connections": filled["connections"]}


def _tester(raw: Tables, side: str) -> Tables:
    """With the other device on the inner side."""
    inner = {"ipv6": f"{ADDRESSES[INNER[side]]}/{BETWEEN.prefixlen}", "gateway_ipv6": ADDRESSES[side]}
    return {**copy.deepcopy(raw.get("tester", {})), INNER[side]: inner}


def _alone(common: Tables, row: InARow, side: str) -> Tables:
    """Tables of one device's bench, without the device."""
    technology, traffic = copy.deepcopy(dict(row.alone[side])), copy.deepcopy(common["traffic"])
    for table in (traffic, traffic.get("forward", {}), traffic.get("reverse", {})):
        for hops in ("hops", "background_hops"):
            table.pop(hops, None)  # those of both
    traffic["hops"] = "learn"
    clients, servers = traffic["connections"]["clients"], traffic["connections"]["servers"]
    if row.clients_between is not None:
        prefix, network = ipaddress.IPv6Network(row.clients_between), _network(clients)
        if side == "left":
            technology["eam"] = [{"ipv4": str(network), "ipv6": str(embedded(prefix, network))}]
        else:
            clients["first"] = str(embedded(prefix, ipaddress.IPv4Network(clients["first"]))[0])
    tables = {**common, "tester": _tester(common, side), "technology": technology, "traffic": traffic}
    model = technologies.of(technology)
    if model is None or model.stateful:
        return tables
    del traffic["connections"]
    filled = fill({"technology": technology})["technology"]
    for at in model.model_validate(filled).hosts:
        traffic[at] = {**traffic.get(at, {}), "hosts": _hosts(clients if at == "left" else servers)}
    tables["measure"] = [_without_connections(one) for one in common["measure"] if not _of_connections(one)]
    return tables


def _hosts(addresses: Tables) -> Tables:
    """Those who open connections, or to whom, as hosts of a stateless device."""
    network = _network(addresses)
    host = int(ipaddress.IPv4Address(addresses["first"])) - int(network[0])
    return {"prefix": str(network), "host": host, "hosts": addresses.get("addresses", 1)}


def _network(addresses: Tables) -> ipaddress.IPv4Network:
    """The smallest one of at most 24 bits that has them all."""
    first = int(ipaddress.IPv4Address(addresses["first"]))
    last = first + (addresses.get("addresses", 1) - 1) * addresses.get("step", 1)
    length = min(_MOST_LENGTH, 32 - (first ^ last).bit_length())
    return ipaddress.IPv4Network((first >> 32 - length << 32 - length, length))


def _measures(common: Tables, row: InARow) -> Any:
    """With the frame sizes that fit between the two as well: those of the left device."""
    return fill({"measure": [], **common, "technology": dict(row.left)})["measure"]


def _of_connections(measure: Tables) -> bool:
    """Whether only a stateful device has it."""
    return PROCEDURES[measure["procedure"]].facts.of_connections


def _without_connections(measure: Tables) -> Tables:
    return {name: value for name, value in measure.items() if name not in _OF_CONNECTIONS}
