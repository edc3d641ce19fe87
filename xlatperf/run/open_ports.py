"""Opens the Tester's ports; what is wrong with one that the user named is told by its key in the bench file."""

from __future__ import annotations

from collections.abc import Callable

from xlatperf.config.bench import Bench
from xlatperf.config.request import open_message
from xlatperf.devices.device import Attachment, DeviceError
from xlatperf.engine.client import Engine
from xlatperf.engine.errors import EngineError
from xlatperf.engine.messages import OpenAnswer, Port
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.keys.port_name import is_virtual
from xlatperf.run.engines import EngineElsewhere


def open_ports(
    engine: Engine, bench: Bench, at: Attachment, meanwhile: Callable[[], None] = lambda: None
) -> OpenAnswer:
    """`meanwhile`: see Engine.open. Raises DeviceError about a port of the user's, EngineError, EngineDied."""
    named = bench.device.users_ports(*bench.tester.ports) if bench.device.users_own else {}
    if named and isinstance(engine, EngineElsewhere):
        engine.host.refuse_own_use(named, (bench.tester.left.allow, bench.tester.right.allow))
    try:
        opened = engine.open(open_message(bench, at.left_port, at.right_port), meanwhile)
    except EngineError as error:
        raise next((told for told in _by_key(error, named)), error) from error
    for place, port in zip(named, (opened.left, opened.right), strict=False):
        if not port.link_up:
            raise DeviceError(f"{place}: {port.port}: {_no_link(port)}")
        _check_mtu(place, port, bench.device.mtu)
    return opened


def _check_mtu(place: str, port: Port, mtu: int) -> None:
    """DPDK sets it; a NIC may not carry so much, and a tap whose driver doesn't. Others carry whatever is sent."""
    tap = port.driver == "net_tap"
    if (tap or not is_virtual(port.port)) and 0 < port.mtu < mtu:
        instead = "; a veth with net_af_packet does" if tap else ""
        allowed = f"a port that carries an MTU of {mtu}, as device.mtu says: {port.driver} has {port.mtu}{instead}"
        raise DeviceError(not_allowed(place, port.port, allowed))


def _by_key(error: EngineError, named: dict[str, str]) -> list[DeviceError]:
    said = str(error)
    if said.startswith("open."):
        return [DeviceError(f"tester.{said.removeprefix('open.')}")]
    found = []
    for place, port in named.items():
        if f"port {port}" in said:
            hint = "; does the device run, with this socket?" if port.startswith("net_memif") else ""
            found.append(DeviceError(f"{place}: {said.removeprefix('port ')}{hint}"))
    return found


def _no_link(port: Port) -> str:
    if port.driver == "net_memif":
        return "nobody is connected to the other end of its socket: does the device run, with the same socket and id?"
    return port.why_down or "it has no link: is the cable in, and the other end up?"
