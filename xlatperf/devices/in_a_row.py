"""Two devices in a row as one DUT (RFC 8219 §4.2): each by its own driver, as if it were alone, with a link between.

Each is prepared by the Plan of its own bench, in which the other one's addresses are the Tester's. The second one that
is made takes the end of the first one's link where the Tester would be.
"""

from __future__ import annotations

import contextlib
import ipaddress
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from functools import partial, reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeVar

from pydantic import Field

from xlatperf.devices.assembled import Assembled
from xlatperf.devices.device import Attachment, Device, DeviceError, Joint, Making, Neighbor, Plan, Ports
from xlatperf.devices.driver import Driver, driver_key
from xlatperf.devices.kernel_dut import KernelDriver
from xlatperf.devices.machine_keys import MachineKeys
from xlatperf.devices.reference import Reference
from xlatperf.devices.registry import BY_NAME, DRIVERS, AnyDriver
from xlatperf.keys.in_words import either
from xlatperf.keys.model import REQUIRED, key
from xlatperf.keys.needs import Need
from xlatperf.keys.not_allowed import not_allowed, refuse
from xlatperf.lab.joint import JointEnd
from xlatperf.lab.link_addresses import DUT_MACS, TESTER_MACS
from xlatperf.lab.programs import Program
from xlatperf.lab.tester_side import TESTER_PORTS, TesterSide
from xlatperf.technologies.in_a_row import INNER, SIDES

_T = TypeVar("_T")
_MADE_HERE = "one that xlatperf makes on this host: it makes the link between"


class InARowDriver(Driver):
    """Two drivers, from left to right, and what their devices are called."""

    label = "two devices in a row"
    what = "two devices, each by its own driver, with a link between"
    not_on_one_port = "its two devices have one link to the Tester each"

    driver: Literal["in-a-row"] = driver_key()
    devices: tuple[AnyDriver, ...] = key(REQUIRED, "from left to right", allowed="two tables [[device]]")
    names: tuple[str, ...] = key(REQUIRED, "what they are", allowed="two names")

    @property
    def mtu(self) -> int:
        """What both carry."""
        return min(one.mtu for one in self.devices)

    @classmethod
    def called(cls, facts: Mapping[str, Any]) -> str:
        """Both, with their versions."""
        return str(facts.get("devices") or cls.label)

    def located(self, folder: Path) -> Self:
        """Both."""
        return self.model_copy(update={"devices": tuple(one.located(folder) for one in self.devices)})

    def programs(self) -> tuple[Program, ...]:
        """Of both."""
        return tuple(dict.fromkeys(program for one in self.devices for program in one.programs()))

    def missing(self) -> list[str]:
        """Of both."""
        return list(dict.fromkeys(line for one in self.devices for line in one.missing()))

    def check(self, ports: Ports, needs: Collection[Need]) -> None:
        """Of both. Raises DeviceError."""
        for index, one in enumerate(self.devices):
            with _of_device(index):
                one.check(ports, needs)

    def refuse_impossible(self) -> None:
        """What can't be in a row. Raises ValueError, which begins with the place."""
        for index, one in enumerate(self.devices):
            driver = one.driver
            if one.users_own:
                refuse(f"device[{index}].driver", driver, _MADE_HERE)
            if isinstance(one, Reference) and one.static_neighbours:
                refuse(f"device[{index}].static_neighbours", True, "false: it would take the other one for the Tester")
        if all(isinstance(one, MachineKeys) and one.in_machine for one in self.devices):
            refuse("device[1].driver", self.devices[1].driver, "one without a virtual machine: there is one at a time")

    def cable(self, plan: Plan) -> AbstractContextManager[Attachment] | None:
        """Where both have ports of one kind."""
        left, right = self.devices
        alike = isinstance(left, Reference) and isinstance(right, Reference)
        namespaces = all(isinstance(one, KernelDriver) and one.cable(plan) is not None for one in self.devices)
        return left.cable(plan) if alike or namespaces else None

    def limits(self, plan: Plan) -> list[str]:
        """Of both, with who it is."""
        each = zip(self.names, self.devices, plan.in_a_row, strict=True)
        return [f"the {whose}: {line}" for whose, one, its in each for line in one.limits(its)]

    def set_up(self, plan: Plan) -> Making:
        """A virtual machine first, which takes nobody's link; the reference device last, which opens any port."""
        order = sorted((0, 1), key=lambda place: _turn(self.devices[place]))
        for place, its in enumerate(plan.in_a_row):
            joint = None if place == order[0] else Joint(INNER[SIDES[place]], "", (), None)
            with _of_device(place):
                self.devices[place].planned(replace(its, joint=joint))  # only to hear what can't be
        return partial(self._made, plan, order)

    def _made(self, plan: Plan, order: Sequence[int], undo: ExitStack) -> Device:
        made: dict[int, Device] = {}
        for place in order:
            joint = _joint(made, place)
            with _of_device(place):
                made[place] = self.devices[place].prepare(replace(plan.in_a_row[place], joint=joint), undo)
                made[place].wait_until_ready()  # else the second one would look for a port that isn't there yet
        return InARow(self, plan.in_a_row, (made[0], made[1]), order)


class InARow(Device):
    """Asks both; what they say has their names before it."""

    def __init__(
        self, driver: InARowDriver, plans: Sequence[Plan], both: tuple[Device, Device], order: Sequence[int]
    ) -> None:
        at = [one.attachment for one in both]
        prefix = next((one.command_prefix for one in at if one.command_prefix), ())
        super().__init__(Attachment(at[0].left_port, at[1].right_port, prefix))
        self._driver, self._plans, self._both = driver, plans, both
        self._last = order[-1]
        self.cpu_every_s = max(one.cpu_every_s for one in both)
        self.answers_anew = any(one.answers_anew for one in both)

    def _each(self, of: Callable[[Device], _T]) -> list[_T]:
        found = []
        for place, one in enumerate(self._both):
            with _of_device(place):
                found.append(of(one))
        return found

    def _named(self, found: Sequence[Mapping[str, _T]], between: str) -> dict[str, _T]:
        return {
            f"{whose}{between}{name}": value
            for whose, one in zip(self._driver.names, found, strict=True)
            for name, value in one.items()
        }

    def set_neighbors(self, left: Neighbor, right: Neighbor) -> None:
        """Each has the other one where it has the Tester when it's alone."""
        first, second = self._both
        first.set_neighbors(left, self._other(0))
        second.set_neighbors(self._other(1), right)

    def _other(self, place: int) -> Neighbor:
        """The other device, as this one sees it."""
        inner = INNER[SIDES[place]]
        link = self._plans[place].right if inner == "right" else self._plans[place].left
        opens_a_port = 1 - place == self._last and isinstance(self._driver.devices[1 - place], Reference)
        mac = TESTER_MACS[inner] if opens_a_port else DUT_MACS[INNER[inner]]
        addresses = [
            None if one is None else str(ipaddress.ip_interface(one).ip) for one in (link.tester_ipv4, link.tester_ipv6)
        ]
        return Neighbor(mac, *addresses)

    def clear_state(self) -> None:
        """Of both."""
        self._each(lambda one: one.clear_state())

    def count_state(self) -> int | None:
        """Of the one that keeps any."""
        return next((count for count in self._each(lambda one: one.count_state()) if count is not None), None)

    def cpu_s(self) -> dict[str, float]:
        """Of both: `CE tayga`."""
        return self._named(self._each(lambda one: one.cpu_s()), " ")

    def idle_s(self) -> dict[str, float]:
        """Of both."""
        return self._named(self._each(lambda one: one.idle_s()), " ")

    def vectors(self) -> dict[str, tuple[int, int]]:
        """Of both."""
        return self._named(self._each(lambda one: one.vectors()), " ")

    def alive(self) -> bool:
        """Both are."""
        return all(self._each(lambda one: one.alive()))

    def why_not_alive(self) -> str:
        """Of those that aren't."""
        return self._told(lambda one: one.why_not_alive())

    def ended(self) -> str | None:
        """Of those that have."""
        return self._told(lambda one: one.ended()) or None

    def _told(self, of: Callable[[Device], str | None]) -> str:
        said = zip(self._driver.names, self._each(of), strict=True)
        return "; ".join(f"the {whose}: {one}" for whose, one in said if one)

    def stopped(self) -> bool:
        """Some one is."""
        return any(self._each(lambda one: one.stopped()))

    def restart(self) -> None:
        """Both. Raises DeviceError."""
        self._each(lambda one: one.restart())

    def facts(self) -> dict[str, str]:
        """Of both, and what they are: `CE.kernel`."""
        pairs = zip(self._driver.devices, self._each(lambda one: one.facts()), strict=True)
        facts = [{"driver": one.driver, "called": type(one).called(own), **own} for one, own in pairs]
        return {"devices": " and ".join(own["called"] for own in facts), **self._named(facts, ".")}

    def diagnose(self) -> list[str]:
        """Of both, with who it is."""
        return [
            f"the {whose}: {line}"
            for whose, lines in zip(self._driver.names, self._each(lambda one: one.diagnose()), strict=True)
            for line in lines
        ]


def _turn(driver: Driver) -> int:
    if isinstance(driver, Reference):
        return 2
    return 0 if isinstance(driver, MachineKeys) and driver.in_machine else 1


def _joint(made: Mapping[int, Device], place: int) -> Joint | None:
    """Where this device is joined to the one that is there; None: it is the first one."""
    other = made.get(1 - place)
    if other is None:
        return None
    side = INNER[SIDES[place]]
    its = INNER[side]  # the same link, as the other one has it
    at = other.attachment
    beds = [part.testbed for part in other.parts] if isinstance(other, Assembled) else []
    bed = next((one for one in beds if isinstance(one, TesterSide)), None)
    end = None if bed is None else JointEnd(bed.tester, TESTER_PORTS[its], side)
    return Joint(side, at.left_port if its == "left" else at.right_port, at.command_prefix, end)


def unfit(place: int, driver: str, whose: str, technology: Mapping[str, Any]) -> str | None:
    """Why that driver can't be this one of two devices; None: it can, or isn't known. `whose`: what the device is."""
    model = BY_NAME.get(driver)
    at = f"device[{place}].driver"
    if model is None:
        return None
    if not model.made_here:
        return not_allowed(at, driver, _MADE_HERE)
    if model.not_on_one_port is not None:
        return not_allowed(at, driver, f"one of a single device: {model.not_on_one_port}")
    if model.fits(technology):
        return None
    others = [one.named() for one in DRIVERS if one.fits(technology) and one.made_here and one.not_on_one_port is None]
    return not_allowed(at, driver, f"for the {whose}, {either(others)}")


def of_device(said: str, place: int) -> str:
    """A line about keys of one device, by their place in the file; another one as it is."""
    return re.sub(r"(?<![\w.\[\]-])device(?=[.:])", f"device[{place}]", said)


@contextlib.contextmanager
def _of_device(place: int) -> Iterator[None]:
    """Says which device's key a DeviceError is about."""
    try:
        yield
    except DeviceError as error:
        said = str(error)
        if said.startswith("technology."):  # of this one, which may not be the file's
            said = f"device[{place}]: {said}"
        raise DeviceError(of_device(said, place)) from error


if TYPE_CHECKING:
    AnyDevice = Driver
else:
    AnyDevice = Annotated[reduce(or_, (*DRIVERS, InARowDriver)), Field(discriminator="driver")]
"""`[device]`, told apart by `driver`, or two of them."""

MODELS: Mapping[str, type[Driver]] = {**BY_NAME, InARowDriver.named(): InARowDriver}
"""What a bench of results may have."""
