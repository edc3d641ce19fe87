"""What must fit together in a bench file for a stateful DUT. Each message starts with the place."""

from __future__ import annotations

from collections.abc import Sequence

from xlatperf.config.check_mesh import check_mesh
from xlatperf.config.connections import MOST_CLIENTS, ConnectionSpace, FourTuples
from xlatperf.config.series import in_words, more_subscribers
from xlatperf.config.traffic import Traffic
from xlatperf.keys.limits import MOST_CONNECTIONS
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.negative import FRAMES
from xlatperf.procedures.procedure import Procedure
from xlatperf.technologies.map_ce import MapCe
from xlatperf.technologies.registry import WITH_CONNECTIONS, AnyTechnology
from xlatperf.technologies.stateful import StatefulTechnology


def four_tuples(technology: StatefulTechnology, space: ConnectionSpace, subscribers: int | None = None) -> FourTuples:
    """What connections can be; `subscribers`: of so many in place of the technology's."""
    of = technology if subscribers is None else technology.with_subscribers(subscribers)
    return FourTuples(space, of.gateways)


def check_connections(technology: AnyTechnology, traffic: Traffic, measures: Sequence[Procedure]) -> None:
    """Raises ValueError."""
    if isinstance(technology, StatefulTechnology):
        if traffic.connections is None:
            raise ValueError(f"traffic.connections: missing: a table, needed with technology {technology.name}")
        _check_families(technology, traffic.connections)
        if isinstance(technology, MapCe) and technology.mesh:
            check_mesh(technology, traffic.connections, measures)
        _check_number(four_tuples(technology, traffic.connections, more_subscribers(technology, measures)))
        _check_limits(technology, traffic.connections)
        for index, measure in enumerate(measures):
            _check_measure(index, measure, technology, traffic.connections)
        _check_establishment(measures)
        return
    if traffic.connections is not None:
        refuse(
            "traffic.connections",
            "a table",
            f"nothing with technology {technology.name}; only {WITH_CONNECTIONS} have connections",
        )
    for index, measure in enumerate(measures):
        _check_stateless(f"measure[{index}]", measure, technology.name)


def _check_families(technology: StatefulTechnology, space: ConnectionSpace) -> None:
    sides = (
        ("clients", space.clients, technology.clients_family),
        ("servers", space.servers, technology.servers_family),
    )
    for name, named, version in sides:
        if named.version != version:
            refuse(
                f"traffic.connections.{name}.first",
                named.first,
                f"an IPv{version} address with technology {technology.name}",
            )


def _check_number(tuples: FourTuples) -> None:
    space = tuples.space
    clients = "clients" if tuples.gateways == 1 else f"{tuples.gateways} gateways x clients"
    if tuples.clients > MOST_CLIENTS:
        refuse(
            "traffic.connections.clients.addresses",
            space.clients.addresses,
            f"{clients} are {tuples.clients}, at most {MOST_CLIENTS} are possible",
        )
    if tuples.of_one_server_port > MOST_CONNECTIONS:
        refuse(
            "traffic.connections.clients.addresses",
            space.clients.addresses,
            f"{clients} x servers x client ports are {tuples.of_one_server_port}, at most "
            f"{MOST_CONNECTIONS} are possible",
        )


def _check_limits(technology: StatefulTechnology, space: ConnectionSpace) -> None:
    """What is beyond a limit is known only if each connection is a mapping of its own, whatever the DUT maps by."""
    mappings = space.clients.addresses * space.client_ports.ports
    for test in technology.negative_tests():
        if test.beyond is not None and (space.servers.addresses != 1 or mappings < test.beyond + FRAMES):
            refuse(
                f"technology.{test.name}",
                test.beyond,
                f"with one server, and at least {FRAMES} less than clients x client ports of "
                f"traffic.connections; they are {mappings}, to {space.servers.addresses} server(s)",
            )


def _check_measure(index: int, measure: Procedure, technology: StatefulTechnology, space: ConnectionSpace) -> None:
    place = f"measure[{index}]"
    if measure.facts.not_with_connections is not None:
        refuse(
            f"{place}.procedure",
            measure.procedure,
            f"with a stateless technology; {measure.facts.not_with_connections}",
        )
    opened = "connections" in measure.axes
    for number, column in enumerate(measure.table):
        here = measure.place_of_column(index, number)
        if column.connections is None and opened:
            raise ValueError(
                f"{here}.connections: missing: a number of connections, such as 10000, with technology "
                f"{technology.name}"
            )
        tuples = four_tuples(technology, space.with_ports(column.client_ports, column.server_ports), column.subscribers)
        _check_number(tuples)
        if column.connections is not None:
            _check_count(f"{here}.connections", column.connections, technology, tuples, opened=opened)
    if measure.table:
        return
    if not measure.counts_of_connections:
        raise ValueError(
            f"{place}.connections: missing: a list of numbers of connections, such as [10000], with technology "
            f"{technology.name}"
        )
    for subscribers in measure.subscribers or (None,):
        tuples = four_tuples(technology, space, subscribers)
        for name, count in measure.counts_of_connections.items():
            _check_count(f"{place}.{name}", count, technology, tuples, opened=opened)


def _check_count(place: str, count: int, technology: StatefulTechnology, space: FourTuples, *, opened: bool) -> None:
    """`opened`: so many at once; else as many as the DUT bears."""
    if count > space.size:
        refuse(place, count, _most(space))
    if not opened:
        return
    most = space.right_hand_tuples(count, technology.pool_size)
    if count > most:
        refuse(
            place,
            count,
            f"at most {most}: the {technology.pool_size} {technology.pool_in_words} towards so many servers and server "
            "ports",
        )


def _most(space: FourTuples) -> str:
    gateways = "" if space.gateways == 1 else f"{space.gateways} gateways x "
    return (
        f"at most {space.size}: {gateways}clients x client ports x servers x server ports of traffic.connections, and "
        "what one trial can have"
    )


def _check_establishment(measures: Sequence[Procedure]) -> None:
    """RFC 9693 §4.2: phase 1 is safely below a rate that must be known."""
    known = {frames for measure in measures if measure.facts.finds == "establishment" for frames in measure.series()}
    for index, measure in enumerate(measures):
        if measure.phase_1 is None or measure.phase_1.given_fps is not None:
            continue
        missing = [frames for frames in measure.series() if frames not in known]
        if missing:
            refuse(
                f"measure[{index}].establish_fps",
                None,
                f"a rate, or a measure with procedure = establishment and {in_words(missing)} in this file",
            )


def _check_stateless(place: str, measure: Procedure, technology: str) -> None:
    if measure.facts.of_connections:
        refuse(
            f"{place}.procedure",
            measure.procedure,
            f"with technology {WITH_CONNECTIONS}; {technology} has no connections",
        )
    for name in ("connections", "establish_fps", "establish_share", "phase_1_loss_tolerance"):
        if name in measure.model_fields_set and getattr(measure, name) is not None:
            refuse(
                f"{place}.{name}",
                getattr(measure, name),
                f"only with technology {WITH_CONNECTIONS}; {technology} has no connections",
            )
