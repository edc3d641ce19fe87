"""VPP (fd.io): a router in user space that polls its ports; border relay, lwAFTR, AFTR, NAT44, NAT64."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from xlatperf.devices import memif_port
from xlatperf.devices.assembled import assemble, explained
from xlatperf.devices.cores import CORES_ALLOWED, Cores, available_cores, of_this_host
from xlatperf.devices.device import Attachment, Device, DeviceError, Making, Plan, Ports
from xlatperf.devices.driver import Driver, driver_key
from xlatperf.devices.kernel_dut import attached, veth
from xlatperf.devices.memif_cable import memif_cable
from xlatperf.devices.users_ports import at_users_ports, check_users_ports, two_ports
from xlatperf.devices.vpp import limits, links, startup
from xlatperf.devices.vpp.links import Interfaces
from xlatperf.devices.vpp.nat import nat_of
from xlatperf.devices.vpp.part import VppPart, Wanted
from xlatperf.devices.vpp.process import JoinedVpp, OwnVpp, Running
from xlatperf.keys.model import Whole, key
from xlatperf.keys.needs import Need
from xlatperf.keys.not_allowed import not_allowed, refuse
from xlatperf.lab import leftovers, tester_side
from xlatperf.lab.bed import DEFAULT_MTU, DUT_PORTS
from xlatperf.lab.programs import OF_TESTBEDS, VPP, Program
from xlatperf.lab.runtime_folder import RuntimeFolder
from xlatperf.lab.testbed import Testbed
from xlatperf.lab.vpp_changes import segment_of

_MTU = range(1280, 9217)
_MOST_SESSIONS = 1 << 30
_ASKED_EVERY_S = 0.2  # its main thread, which may forward as well, answers
Text = Annotated[str, Field(min_length=1)]


@dataclass(frozen=True)
class _Place:
    """Where the Tester is, VPP's interfaces, a folder for sockets, and what starts VPP where its interfaces are."""

    attachment: Attachment
    interfaces: Interfaces
    folder: Path
    prefix: tuple[str, ...] = ()
    testbed: Testbed | None = None


class Vpp(Driver):
    """A VPP that is started for the run, or one that runs already."""

    label = "VPP"
    version_fact = "vpp"
    what = "VPP by its command line; it's started, or joined where it runs"
    one_queue = "xlatperf connects VPP by one queue per port"
    table_steps: ClassVar[Mapping[str, int]] = {"table_size": 1}

    driver: Literal["vpp"] = driver_key()
    mtu: Whole = key(
        DEFAULT_MTU,
        "MTU of the links to the Tester",
        ge=_MTU.start,
        le=_MTU.stop - 1,
        source="RFC 8200 §5: at least 1280",
    )
    ports: Literal["memif", "af_packet"] = key(
        "memif",
        "how VPP and the Tester are joined: by shared memory, or by veth pairs between network namespaces",
    )
    cli_socket: Text | None = key(
        None,
        "CLI socket of a VPP that runs already, for instance /run/vpp/cli.sock: it's told what this bench needs, which "
        "is taken back at the end; without it a VPP of its own is started",
        allowed="a path",
    )
    left_interface: Text | None = key(
        None,
        "in place of `ports`: VPP's own interface to tester.left.port; of a VPP that is started a PCI address, of a "
        "running one its name for it",
        allowed="0000:3b:00.0 or TenGigabitEthernet3b/0/0",
    )
    right_interface: Text | None = key(None, "the same on the right", allowed="as left_interface")
    workers: Whole = key(
        0, "VPP's worker threads, each with a core of its own; 0: the main thread does all", ge=0, le=64
    )
    cores: Cores = key(
        (),
        "of VPP's threads: the main one's, then the workers'; without, those that the Tester leaves",
        allowed=CORES_ALLOWED,
    )
    nat44: Literal["ed", "ei"] = key(
        "ed", "which of VPP's NAT44s: endpoint-dependent or endpoint-independent", source="RFC 4787 §4.1"
    )
    table_size: Whole = key(
        1_048_576, "sessions that NAT44 has room for, for each worker thread", ge=1, le=_MOST_SESSIONS
    )
    startup: str = key(
        "", "more sections for its startup.conf, as VPP takes them: `buffers { buffers-per-numa 65536 }`"
    )

    @model_validator(mode="after")
    def _both_interfaces(self) -> Vpp:
        named = {side: getattr(self, f"{side}_interface") for side in links.SIDES}
        for side, other in (("left", "right"), ("right", "left")):
            if named[side] is None and named[other] is not None:
                raise ValueError(f"{side}_interface: missing: {other}_interface is given")
        if named["left"] is not None and named["left"] == named["right"]:
            refuse("right_interface", named["right"], "another one than left_interface")
        if named["left"] is not None and "ports" in self.model_fields_set:
            refuse("ports", self.ports, "nothing with left_interface")
        return self

    @model_validator(mode="after")
    def _of_one_that_is_started(self) -> Vpp:
        if self.cli_socket is None:
            return self
        for name in ("workers", "cores", "startup"):
            if name in self.model_fields_set:
                refuse(name, getattr(self, name), "nothing with cli_socket: that VPP was started by somebody else")
        if self.ports == "af_packet" and self.left_interface is None:
            refuse("ports", self.ports, "memif with cli_socket: that VPP isn't in the network namespaces of this run")
        return self

    @property
    def users_own(self) -> bool:
        """With interfaces of VPP's own, the Tester's ports are the user's."""
        return self.left_interface is not None

    def located(self, folder: Path) -> Self:
        """The socket's path."""
        if self.cli_socket is None:
            return self
        return self.model_copy(update={"cli_socket": str(folder / self.cli_socket)})

    def programs(self) -> tuple[Program, ...]:
        """VPP, unless it runs already."""
        needed = () if self.cli_socket is not None else (VPP,)
        return (*needed, *(OF_TESTBEDS if self._by_veth else ()))

    def missing(self) -> list[str]:
        """Also root, for network namespaces."""
        return (tester_side.missing() if self._by_veth else []) + super().missing()

    def own_cores(self) -> tuple[int, ...]:
        """The key `cores`."""
        return of_this_host("cores", self.cores)

    @classmethod
    def fits(cls, technology: Mapping[str, Any]) -> bool:
        """One of several, each with its role."""
        return limits.knows(technology)

    def check_technology(self, technology: Mapping[str, Any]) -> None:
        """One of those that VPP does, and nothing that it can't be told."""
        limits.refuse(technology)

    def check(self, ports: Ports, needs: Collection[Need]) -> None:
        """Ports where they are the user's, and what a running VPP can't be asked."""
        if self.users_own:
            two_ports(self.users_ports(*ports), self.mtu, self.driver)
        for need, why in (("restart", 'event = "restart"'), ("cores", "device_cores")):
            if need in needs and self.cli_socket is not None:
                raise DeviceError(f"a measure with {why} needs a VPP that xlatperf starts: leave device.cli_socket out")

    def limits(self, plan: Plan) -> list[str]:
        """As it was seen."""
        return limits.said(plan, self.table_size)

    def set_up(self, plan: Plan) -> Making:
        """Starts or joins it, and tells it what it has to be."""
        self._check_plan(plan)
        return partial(self._told, plan)

    def _told(self, plan: Plan, undo: ExitStack) -> Device:
        if lacking := self.missing():
            raise DeviceError("; ".join(lacking))
        place = self._place(plan, undo)
        nat = nat_of(plan.technology, place.interfaces, self.table_size, endpoint_dependent=self.nat44 == "ed")
        wanted = Wanted(plan, place.interfaces, nat, self.mtu, self.limits(plan), place.testbed)
        device = assemble(self, plan, undo, place.attachment, VppPart(self._running(plan, place), wanted))
        device.cpu_every_s = _ASKED_EVERY_S
        return device

    def cable(self, plan: Plan) -> AbstractContextManager[Attachment] | None:
        """The two ends of one memif, or veth pair."""
        if self.users_own:
            return None
        return veth(plan, self.mtu) if self._by_veth else memif_cable(self.mtu, plan.asked_fps)

    @property
    def _by_veth(self) -> bool:
        return self.ports == "af_packet" and not self.users_own

    def _check_plan(self, plan: Plan) -> None:
        cores = len(self.own_cores() or available_cores())
        if self.workers >= cores:
            allowed = f"0 to {cores - 1}: with the main thread's, VPP may use {cores} cores"
            raise DeviceError(not_allowed("device.workers", self.workers, allowed))
        for name in ("nat44", "table_size"):
            if name in self.model_fields_set and plan.technology["name"] != "nat44":
                allowed = "nothing without technology.name = nat44"
                raise DeviceError(not_allowed(f"device.{name}", getattr(self, name), allowed))
        if plan.vlans:
            raise DeviceError("tester.left.vlan and tester.right.vlan aren't for the driver vpp: it sets up none")
        if plan.joint is not None and not self._by_veth:
            raise DeviceError(not_allowed("device.ports", self.ports, "af_packet: the other device has interfaces"))
        if plan.tester_elsewhere:
            raise DeviceError("tester.host isn't for the driver vpp: VPP and the Tester are on this host")
        if self.cli_socket is not None and plan.technology["name"] == "dslite" and "clear" in plan.needs:
            raise DeviceError(
                "device.cli_socket: VPP can't forget DS-Lite's sessions but by a restart: leave it out, so that "
                "xlatperf starts a VPP"
            )
        if "table_size" in plan.needs and plan.technology["name"] != "nat44":
            raise DeviceError("columns with table_size are for VPP's NAT44 only: others have no size that can be set")

    def _place(self, plan: Plan, undo: ExitStack) -> _Place:
        """Made, or found."""
        joint = plan.joint
        if self._by_veth:
            bed = Testbed(self.mtu) if joint is None else Testbed(self.mtu, ("dut2",), joint=joint.end)
            undo.callback(bed.remove)
            with explained():
                bed.make()
                for port in DUT_PORTS.values():  # the kernel has no part in it
                    bed.dut.set_sysctl(f"net.ipv6.conf.{port}.disable_ipv6", 1)
            at = attached(plan, self.mtu, bed.tester)
            return _Place(at, links.af_packet(dict(DUT_PORTS)), bed.folder, bed.dut.prefix, bed)
        with explained():
            leftovers.clean()
            runtime = RuntimeFolder()
        undo.callback(runtime.remove)
        if self.left_interface is not None and self.right_interface is not None:
            named = self.users_ports(*plan.tester_ports)
            check_users_ports(named, None, plan.tester_allows)
            own = (self.left_interface, self.right_interface) if self.cli_socket is not None else links.SIDES
            at = at_users_ports(two_ports(named, self.mtu, self.driver), None)
            return _Place(at, Interfaces(*own), runtime.path)
        left, right = (memif_port.of_tester(side, runtime.path, self.mtu, plan.asked_fps) for side in links.SIDES)
        return _Place(Attachment(left, right), links.memif(runtime.path, self.mtu, plan.asked_fps), runtime.path)

    def _running(self, plan: Plan, place: _Place) -> Running:
        folder = place.folder
        if self.cli_socket is not None:
            return JoinedVpp(Path(self.cli_socket), folder)
        cards = {}
        if self.users_own:
            cards = {side: str(getattr(self, f"{side}_interface")) for side in links.SIDES}
        configured = partial(
            startup.configuration,
            folder,
            segment_of(folder),
            str(plan.technology["name"]),
            cards=cards,
            ports="pci" if cards else self.ports,
            more=self.startup,
        )
        return OwnVpp(folder, configured, self.cores_for(1 + self.workers, plan), place.prefix, plan.say)
