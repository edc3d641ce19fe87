"""What a driver is: its keys in `[device]`, what it makes, and how a DUT is prepared for one bench file.

Each has a file of its own in this folder and a line in `registry`. All that others need to know of it is asked here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, get_args

from pydantic import SerializerFunctionWrapHandler, model_serializer

from xlatperf.devices.cores import chosen
from xlatperf.devices.device import Attachment, Device, DeviceError, Making, Plan, Ports
from xlatperf.keys.model import REQUIRED, ConfigModel, key
from xlatperf.keys.needs import Need
from xlatperf.keys.not_allowed import not_allowed, toml
from xlatperf.lab.programs import Program


def driver_key() -> Any:
    """The key that names the driver."""
    return key(REQUIRED, "who sets the DUT up; without this key, reference")


class Driver(ConfigModel):
    """`[device]`. What all drivers need, and how those differ that aren't alike."""

    label: ClassVar[str]
    """What the report calls the DUT, before its version."""
    version_fact: ClassVar[str | None] = None
    """The fact that is its version, if it has one."""
    what: ClassVar[str]
    """What the DUT is, in a few words."""
    technology: ClassVar[Mapping[str, Any]] = {}
    """Members that the engine's `configure.technology` must have; empty: any technology."""
    decrements: ClassVar[tuple[int, int] | None] = None
    """How often it decrements TTL and hop limit, of the foreground and of the background; None: as it is set up."""
    one_queue: ClassVar[str | None] = None
    """Why the Tester's ports have one queue only; None: they may have several."""
    not_on_one_port: ClassVar[str | None] = None
    """Why the Tester can't have both sides on one port; None: it can."""
    not_restartable: ClassVar[str | None] = None
    """Why the DUT can't be restarted while the Tester's ports are open; None: it can."""
    made_here: ClassVar[bool] = True
    """Whether xlatperf can make such a DUT on this host."""
    table_steps: ClassVar[Mapping[str, int]] = {}
    """Of `table_size` and `hash_size` those that it can set between trials, and of what they must be multiples."""

    driver: str
    if TYPE_CHECKING:  # each has its own default, or none

        @property
        def mtu(self) -> int:
            """MTU of the links to the Tester."""

    @classmethod
    def named(cls) -> str:
        """As the bench file has it."""
        (name,) = get_args(cls.model_fields["driver"].annotation)
        return str(name)

    @classmethod
    def called(cls, facts: Mapping[str, Any]) -> str:
        """The DUT, with its version if that is among its facts: `TAYGA 0.9.2`."""
        version = str(facts.get(cls.version_fact) or "") if cls.version_fact is not None else ""
        return f"{cls.label} {version}" if version and version != "unknown" and len(version) < 40 else cls.label

    @classmethod
    def does(cls) -> str:
        """Its technology in words: `nat44` with `double_translation = true`; empty: any."""
        others = [f"`{name} = {toml(value)}`" for name, value in cls.technology.items() if name != "name"]
        return (
            " with ".join(filter(None, (f"`{cls.technology['name']}`", " and ".join(others)))) if cls.technology else ""
        )

    @property
    def users_own(self) -> bool:
        """The DUT and the Tester's ports are the user's: xlatperf makes neither."""
        return False

    def users_ports(self, left: str | None, right: str | None) -> dict[str, str]:
        """The ports that are the user's, by the bench file's keys; `left` and `right`: of the Tester's tables."""
        return {f"tester.{side}.port": port for side, port in (("left", left), ("right", right)) if port is not None}

    def located(self, folder: Path) -> Self:  # noqa: ARG002 - most name no file
        """The same, files that it names being relative to that folder."""
        return self

    def programs(self) -> tuple[Program, ...]:
        """That it needs on this host."""
        return ()

    def own_cores(self) -> tuple[int, ...]:
        """Cores that it was given for the DUT; empty: none. Raises DeviceError."""
        return ()

    def cores_for(self, count: int, plan: Plan) -> tuple[int, ...]:
        """So many for the DUT, those that it was given first. Raises DeviceError if there are less."""
        return chosen(count, plan.tester_cores, self.own_cores() or None)

    @model_serializer(mode="wrap")
    def _as_the_file_has_it(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """The keys that were set: most others are of no concern to a reader of the results."""
        return {name: value for name, value in handler(self).items() if name in self.model_fields_set}

    def missing(self) -> list[str]:
        """Lines that say what this host lacks for it and what to do about it; empty if nothing."""
        return self.missing_programs()

    def missing_programs(self) -> list[str]:
        """Of those lines the ones about programs."""
        return [program.missing for program in dict.fromkeys(self.programs()) if not program.installed]

    def check(self, ports: Ports, needs: Collection[Need]) -> None:
        """What can be told before anything is measured: what it lacks for such a bench. Raises DeviceError."""

    @classmethod
    def fits(cls, technology: Mapping[str, Any]) -> bool:
        """Whether the engine's `configure.technology` is the driver's."""
        return all(technology.get(member, False) == wanted for member, wanted in cls.technology.items())

    def check_technology(self, technology: Mapping[str, Any]) -> None:
        """Refuses one that isn't, or of which it can't have something. Raises DeviceError."""
        for member, wanted in self.technology.items():
            given = technology.get(member, False)
            if given != wanted:
                allowed = f"the driver {self.driver} does {self.does()} only"
                raise DeviceError(not_allowed(f"technology.{member}", toml(given), allowed))

    def cable(self, plan: Plan) -> AbstractContextManager[Attachment] | None:  # noqa: ARG002 - of most it depends on it
        """The Tester's ports as `prepare` makes them, but joined to each other: the Tester without a DUT.

        None where the ports aren't the driver's. May be called at any time. The context raises DeviceError.
        """
        return None

    def prepare(self, plan: Plan, undo: ExitStack) -> Device:
        """Set the DUT up. Closing `undo` removes all that it made, also if this fails. Raises DeviceError."""
        return self.planned(plan)(undo)

    def planned(self, plan: Plan) -> Making:
        """How it is set up; what can't be, is refused before anything is made. Raises DeviceError."""
        self.check_technology(plan.technology)
        self.check(plan.tester_ports, plan.needs)
        return self.set_up(plan)

    @abstractmethod
    def set_up(self, plan: Plan) -> Making:
        """What makes such a DUT. Nothing is made here, and no program is looked for. Raises DeviceError."""
        raise NotImplementedError

    def limits(self, plan: Plan) -> list[str]:  # noqa: ARG002 - most do what their technology's standard says
        """What it does otherwise than the standard, or can't hold, of what the bench asks for; a line each."""
        return []
