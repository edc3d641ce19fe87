"""The whole bench file."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import PrivateAttr, model_validator

from xlatperf.config.check_addresses import check_addresses
from xlatperf.config.check_columns import check_columns
from xlatperf.config.check_connections import check_connections, four_tuples
from xlatperf.config.check_flows import check_flows, counted_flows
from xlatperf.config.connections import FourTuples
from xlatperf.config.frame_sizes import check_frame_sizes, named_tag
from xlatperf.config.report import ReportKeys
from xlatperf.config.series import check_series, in_words, most_networks
from xlatperf.config.tester import NO_VLAN_BY_AF_XDP, TesterConfig
from xlatperf.config.traffic import Traffic
from xlatperf.devices.in_a_row import AnyDevice
from xlatperf.devices.reference import Reference
from xlatperf.devices.registry import DEFAULT as DEFAULT_DRIVER
from xlatperf.devices.registry import NAMES as DRIVERS
from xlatperf.engine.message import DirectionName
from xlatperf.keys.addresses import WELL_KNOWN_PREFIX
from xlatperf.keys.in_words import plural
from xlatperf.keys.model import REQUIRED, ConfigModel, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.keys.port_name import PORT_ALLOWED, fault_of_queues
from xlatperf.procedures.column import MOST_COLUMNS, Column
from xlatperf.procedures.procedure import Procedure
from xlatperf.procedures.registry import NAMES as PROCEDURES
from xlatperf.procedures.registry import AnyProcedure
from xlatperf.procedures.series import Series
from xlatperf.technologies.registry import NAMES as TECHNOLOGIES
from xlatperf.technologies.registry import Technology
from xlatperf.technologies.stateful import StatefulTechnology
from xlatperf.technologies.translation_prefix import DEFAULT_PREFIX

_OWN_PORTS = "xlatperf makes its ports"


_ANY = Series(0)
"""As the file says, whatever the frames."""


class Alone(NamedTuple):
    """The bench of one of two devices in a row, and the bench file that has it."""

    bench: Bench
    text: str


class Bench(ConfigModel):
    """A bench file: Tester, DUT, technology, traffic, measures."""

    _alone: Mapping[str, Alone] = PrivateAttr(default_factory=dict)

    title: str | None = key(None, "title of the report")
    tester: TesterConfig = key(None, "the Tester", default_factory=TesterConfig)
    device: AnyDevice = key(
        None,
        "the device under test",
        allowed=f"a table with driver = {DRIVERS}",
        default_factory=lambda: Reference(driver=DEFAULT_DRIVER),
    )
    technology: Technology = key(REQUIRED, "what the DUT does", allowed=f"a table with name = {TECHNOLOGIES}")
    traffic: Traffic = key(None, "the traffic", default_factory=Traffic)
    measure: tuple[AnyProcedure, ...] = key(
        (),
        "what is measured; measures of connections run first, then throughput, then the others in this order",
        allowed=f"tables [[measure]], in two brackets, each with procedure = {PROCEDURES}",
    )
    column: tuple[Column, ...] = key(
        (),
        'columns of the tables of all measures with columns = "all"',
        allowed=f"tables [[column]], in two brackets, at most {MOST_COLUMNS}",
        max_length=MOST_COLUMNS,
    )

    report: ReportKeys = key(None, "what the report has beside", default_factory=ReportKeys)

    @model_validator(mode="after")
    def _together(self) -> Bench:
        """What no single table can check. The message starts with the place."""
        if self.column and all(measure.columns != "all" for measure in self.measure):
            refuse("column", plural(len(self.column), "table"), 'nothing without a measure that has columns = "all"')
        if self.column:
            self.__dict__["measure"] = self._with_columns()  # nobody has seen the frozen model yet
        self._check_ports()
        self._check_prefix()
        self._check_families()
        self._check_directions()
        check_frame_sizes(self.technology, self.traffic.frame_size_of, self.device, self.measure, self.tester.tag_bytes)
        check_columns(self.technology, self.traffic, self.measure)
        check_flows(self.technology, self.traffic, self.measure)
        check_series(self.technology, self.device, self.measure)
        check_connections(self.technology, self.traffic, self.measure)
        check_addresses(self.technology, self.widest.traffic, self.tester, self.measure)
        self._check_rates()
        self._check_events()
        return self

    @property
    def alone(self) -> Mapping[str, Alone]:
        """Of two devices in a row, the bench of each alone, from left to right, by what it is; empty of one device."""
        return self._alone

    def with_alone(self, alone: Mapping[str, Alone]) -> Bench:
        """The same, as that of these two in a row."""
        bench = self.model_copy()
        bench._alone = alone  # noqa: SLF001 - our own copy
        return bench

    @property
    def smallest_frame(self) -> int:
        """Of the side that frame sizes are about, in bytes with its VLAN tag."""
        families, of = self.technology.families, self.traffic.frame_size_of
        return self.technology.smallest_frame(of) + named_tag(families, of, self.tester.tag_bytes)

    def four_tuples(self, subscribers: int | None = None) -> FourTuples:
        """What connections can be, of a stateful technology; `subscribers`: of so many in place of the technology's."""
        assert isinstance(self.technology, StatefulTechnology)  # noqa: S101 - the caller has looked
        assert self.traffic.connections is not None  # noqa: S101 - it was checked
        return four_tuples(self.technology, self.traffic.connections, subscribers)

    def most_connections(self, series: Series = _ANY) -> int | None:
        """How many there can be at once; None: the technology is stateless."""
        return self.at(series).four_tuples(series.subscribers).size if self.technology.stateful else None

    def at(self, series: Series) -> Bench:
        """With the ports, networks and flows that a series has in place of the traffic's own."""
        return self.model_copy(update={"traffic": self.traffic.at(series)})

    def flows(self, series: Series, directions: Sequence[DirectionName]) -> int | None:
        """How many network flows a series has; None: they aren't counted."""
        return counted_flows(self.technology, self.traffic, series, directions)

    @property
    def widest(self) -> Bench:
        """With as many networks as any series has: the DUT is prepared for all."""
        networks = most_networks(self.measure)
        return self if networks is None else self.at(_ANY._replace(networks=networks))

    @property
    def asked_fps(self) -> float:
        """The highest rate per direction that any measure asks for; infinite: all that there is; 0: none says."""
        return max((measure.asked_fps for measure in self.measure), default=0.0)

    @property
    def asked_connections(self) -> int:
        """The most that any measure names; 0: none does."""
        return max((count for one in self.measure for count in one.counts_of_connections.values()), default=0)

    def _with_columns(self) -> tuple[Procedure, ...]:
        """Measures that have all columns, with them."""
        return tuple(
            measure.with_shared(self.column) if measure.columns == "all" else measure for measure in self.measure
        )

    def _check_ports(self) -> None:
        queues = self.tester.queues
        if queues > 1 and self.device.one_queue is not None:
            refuse("tester.queues", queues, f"1 with driver = {self.device.driver}: {self.device.one_queue}")
        if self.tester.one_port and self.device.not_on_one_port is not None:
            why = f"false with driver = {self.device.driver}: {self.device.not_on_one_port}"
            refuse("tester.one_port", True, why)
        if not self.device.users_own:
            nothing = f"nothing with driver = {self.device.driver}: {_OWN_PORTS}"
            if self.tester.host is not None:
                refuse("tester.host", self.tester.host, nothing)
            for name, side in (("left", self.tester.left), ("right", self.tester.right)):
                for key_, given in (("port", side.port), ("allow", side.allow)):
                    if given is not None:
                        refuse(f"tester.{name}.{key_}", given, nothing)
            return
        named = self.device.users_ports(*self.tester.ports)
        for place, port in named.items():
            fault = fault_of_queues(port, queues)
            if fault is not None:
                raise ValueError(f"{place}: {fault}")
            of = "left" if "left" in place else "right"
            vlan = getattr(self.tester, of).vlan
            if vlan is not None and port.startswith("net_af_xdp"):
                refuse(f"tester.{of}.vlan", vlan, NO_VLAN_BY_AF_XDP)
        for name in ("left", "right"):
            if not named.keys() & {f"tester.{name}.port", f"device.{name}_port"}:
                refuse(f"tester.{name}.port", None, f"with driver = {self.device.driver}, {PORT_ALLOWED}")
        (_, left), (place, right) = named.items()
        if self.tester.one_port and left != right:
            refuse(place, right, "nothing else than the left port with tester.one_port = true")
        if left == right and not self.tester.one_port:
            refuse(place, right, "another port than the left one; or tester.one_port = true, and a VLAN for each side")

    def _check_prefix(self) -> None:
        """RFC 6052 §3.1: the Well-Known Prefix must not represent non-global IPv4 addresses."""
        technology, traffic = self.technology, self.traffic
        place = next((place for place, prefix in technology.way_out.items() if prefix == WELL_KNOWN_PREFIX), None)
        if place is None:
            return
        named = [getattr(traffic, side).hosts.prefix for side in technology.hosts]
        if traffic.connections is not None:
            named = [traffic.connections.servers.first]
        for hosts in named:
            if not ipaddress.ip_network(hosts).is_global:
                refuse(
                    place,
                    WELL_KNOWN_PREFIX,
                    f"RFC 6052 §3.1 forbids the Well-Known Prefix for {hosts} and a translator must drop such "
                    f"packets; use a network-specific prefix such as {DEFAULT_PREFIX}",
                )

    def _check_families(self) -> None:
        technology = self.technology
        for name, side in (("left", self.traffic.left), ("right", self.traffic.right)):
            instead = technology.instead_of_hosts.get(name)
            if instead is not None and "hosts" in side.model_fields_set:
                refuse(f"traffic.{name}.hosts", "a table", f"with technology {technology.name}, {instead} in its place")
            want = technology.hosts.get(name)
            if want is not None and ipaddress.ip_network(side.hosts.prefix).version != want:
                refuse(
                    f"traffic.{name}.hosts.prefix",
                    side.hosts.prefix,
                    f"an IPv{want} network with technology {technology.name}",
                )
        left, right = technology.families
        if left == right and self.traffic.frame_size_of != f"ipv{left}":
            refuse("traffic.frame_size_of", self.traffic.frame_size_of, f"ipv{left}, the only family of the traffic")
        if not self.traffic.udp_checksum and 4 not in (left, right) and self.technology.does != "tunnels":
            refuse("traffic.udp_checksum", False, "true where all frames are IPv6 (RFC 8200 §8.1)")
        if self.traffic.reassemble and self.technology.does != "tunnels":
            if 4 not in (left, right):
                refuse(
                    "traffic.reassemble",
                    True,
                    "false where all frames are IPv6, which no router fragments (RFC 8200 §5)",
                )
            if self.traffic.dont_fragment:
                refuse(
                    "traffic.reassemble",
                    True,
                    "false with traffic.dont_fragment = true: nobody may fragment such frames (RFC 791 §3.1)",
                )

    def _check_directions(self) -> None:
        """What comes back on the left goes one way, alone."""
        if not self.technology.hairpins:
            return
        for index, mix in enumerate(self.traffic.mix):
            if mix[0] < mix[1]:
                refuse(f"traffic.mix[{index}]", mix, "[1, 1] with technology.hairpinning")
        for index, measure in enumerate(self.measure):
            if measure.direction != "forward":
                refuse(f"measure[{index}].direction", measure.direction, '"forward" with technology.hairpinning')

    def _check_rates(self) -> None:
        """A measure at the throughput needs that throughput (RFC 8219 §7.2)."""
        known = {
            (*frames, measure.direction, measure.flows_apart_s)
            for measure in self.measure
            if measure.facts.finds == "throughput"
            for frames in measure.series()
        }
        for index, measure in enumerate(self.measure):
            if not measure.rates_wanted:
                continue
            apart_s = measure.flows_apart_s
            missing = [frames for frames in measure.series() if (*frames, measure.direction, apart_s) not in known]
            if missing:
                refuse(
                    f"measure[{index}].{measure.given_by}",
                    None,
                    f"a rate, or a measure with procedure = throughput, direction = {measure.direction}"
                    f"{'' if apart_s is None else f', flow_interval_s = {apart_s:g}'} and "
                    f"{in_words(missing)} in this file",
                )

    def _check_events(self) -> None:
        for index, measure in enumerate(self.measure):
            why = self.device.not_restartable
            if "restart" in measure.needs and why is not None:
                refuse(f"measure[{index}].event", "restart", f"manual with driver = {self.device.driver}: {why}")
