"""VPP at work for one bench file: told all that it has to be, emptied, counted, asked what it counted itself."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from xlatperf.devices.assembled import Part
from xlatperf.devices.device import Neighbor, Plan
from xlatperf.devices.vpp import counters, links, map_domains
from xlatperf.devices.vpp.command import Command, give
from xlatperf.devices.vpp.links import Interfaces
from xlatperf.devices.vpp.nat import Nat
from xlatperf.devices.vpp.process import OwnVpp, Running
from xlatperf.lab.bed import Bed
from xlatperf.lab.error import LabError

_CLEAR_S = 300.0
_ENDS_S = 0.2
_MAP = ("map-e", "map-t", "lw4o6")
_IGNORED = ("no error", "no_error")
_MOST_LINES = 8


@dataclass(frozen=True)
class Wanted:
    """What VPP has to be. `testbed`: where its veth pairs end; None: it has none."""

    plan: Plan
    interfaces: Interfaces
    nat: Nat | None
    mtu: int
    limits: Sequence[str]
    testbed: Bed | None = None


class VppPart(Part):
    """With what it was told, in order, which stands in the results."""

    def __init__(self, running: Running, wanted: Wanted) -> None:
        self._running = running
        self._wanted = wanted
        self._nat = wanted.nat
        self.testbed = wanted.testbed
        self._neighbors: tuple[Neighbor, Neighbor] | None = None
        self._told: list[str] = []
        self._made = False
        self._not_understood: list[str] = []
        self._errors_before: dict[str, int] = {}
        self._dropped_before: dict[str, int] = {}

    def make(self) -> None:
        """Starts it, or joins it, and tells it all. Raises LabError."""
        self._running.start()
        try:
            self._tell_all()
        except LabError as error:
            raise LabError("; ".join(filter(None, (str(error), self._ended_soon())))) from error
        self._made = True
        for line in self._not_understood:
            self._wanted.plan.say(f"  {line}")

    def _ended_soon(self) -> str | None:
        """How its process ended, of which the command line's end is heard first."""
        until = time.monotonic() + _ENDS_S
        while (ended := self.ended()) is None and time.monotonic() < until:
            time.sleep(0.01)
        return ended

    def remove(self) -> None:
        """Ends it, or takes back what it was told; of what wasn't told to its end VPP may say that it isn't there."""
        refused, made, self._made = self._running.end(), self._made, False
        for line in refused if made else ():
            self._wanted.plan.say(f"  VPP keeps what it was told: {line}")

    def set_neighbors(self, left: Neighbor, right: Neighbor) -> None:
        """They stay the same after a restart."""
        self._neighbors = (left, right)
        self._give(links.neighbors(self._wanted.interfaces, left, right))

    def clear_state(self) -> None:
        """By VPP's command; where there is none, by a new process."""
        commands = None if self._nat is None else self._nat.empty()
        if self._nat is None:
            return
        if commands is None:
            self.restart()
            return
        give(commands, lambda text: self._running.cli.ask(text, _CLEAR_S))

    def count_state(self) -> int | None:
        """As VPP counts."""
        nat = self._nat
        return None if nat is None else nat.count(lambda text: self._running.cli.ask(text, _CLEAR_S))

    def restart(self) -> None:
        """A new process that is told the same (RFC 6201 §4.2.2). Raises LabError."""
        self._running.start()
        self._tell_all()
        if self._neighbors is not None:
            self._give(links.neighbors(self._wanted.interfaces, *self._neighbors))

    def use_cores(self, cores: tuple[int, ...]) -> None:
        """A new process with one worker less than there are cores: the first one is the main thread's."""
        if not isinstance(self._running, OwnVpp):
            raise LabError("the cores of a running VPP can't be set")
        self._running.cores = cores
        self.restart()

    def set_table(self, entries: int | None, buckets: int | None) -> None:
        """Of NAT44, by setting it up anew. Raises LabError."""
        nat = self._nat
        if nat is None or entries is None or buckets is not None:
            raise LabError("VPP's table has no hash table whose size can be set")
        self._nat = replace(nat, sessions=entries)
        give(self._nat.anew(), self._running.cli.ask)

    def ended(self) -> str | None:
        """The process that was started."""
        return self._running.ended()

    def stopped(self) -> bool:
        """The same."""
        return self._running.stopped()

    def why_not_alive(self) -> str:
        """Its process has ended, or its command line doesn't answer."""
        if (ended := self.ended()) is not None:
            return ended
        try:
            self._running.cli.ask("show version")
        except LabError as error:
            return str(error)
        return ""

    def vectors(self) -> dict[str, tuple[int, int]]:
        """Of `show runtime`."""
        return dict(counters.vectors(self._running.cli.ask("show runtime")))

    def facts(self) -> dict[str, str]:
        """Version, how it was started, and what it was told (RFC 9693 §6)."""
        return {
            "vpp": self._running.cli.version.removeprefix("vpp ").split(" ")[0],
            "vpp.version": self._running.cli.version,
            **self._running.facts,
            "vpp.commands": "\n".join(self._told),
            **({"vpp.not_understood": "\n".join(self._not_understood)} if self._not_understood else {}),
            **({"vpp.limits": "\n".join(self._wanted.limits)} if self._wanted.limits else {}),
        }

    def diagnose(self) -> list[str]:
        """Its limits, interfaces that are down or dropped something, and what its nodes counted as errors."""
        if (ended := self.ended()) is not None:
            return [ended]
        shown = self._shown()
        names = (self._wanted.interfaces.left, self._wanted.interfaces.right)
        not_there = [f"VPP has no interface {name}" for name in names if name not in shown]
        down = [f"VPP's {name} is down" for name in names if name in shown and not shown[name].up]
        dropped = _since(self._dropped_before, self._dropped(shown))
        counted = _since(self._errors_before, _errors(self._running.cli.ask("show errors")))[:_MOST_LINES]
        routes = links.missing_routes(self._wanted.interfaces, self._wanted.plan, self._running.cli.ask)
        return [*self._wanted.limits, *self._not_understood, *not_there, *down, *routes, *dropped, *counted]

    def _dropped(self, shown: Mapping[str, counters.Interface]) -> dict[str, int]:
        """By interface and VPP's name for what it didn't take or send."""
        return {
            f"{name}: {what}": count
            for name in (self._wanted.interfaces.left, self._wanted.interfaces.right)
            if name in shown
            for what, count in shown[name].counts.items()
            if what.startswith(("drop", "tx-error"))
        }

    def _shown(self) -> dict[str, counters.Interface]:
        return {one.name: one for one in counters.interfaces(self._running.cli.ask("show interface"))}

    def _tell_all(self) -> None:
        self._told.clear()
        wanted, plan = self._wanted, self._wanted.plan
        self._give(links.set_up(wanted.interfaces, plan, wanted.mtu, self._shown()))
        technology = plan.technology["name"]
        if technology in _MAP:
            domains = map_domains.domains(plan)
            if not map_domains.none_there(self._running.cli.ask("show map domain")):
                raise LabError("VPP has MAP domains already: they would be measured as well")
            self._give(map_domains.add(domains))
            self._give(map_domains.rules(domains, self._running.cli.ask))
            self._give(map_domains.on(wanted.interfaces, technology))
        if self._nat is not None:
            self._give(self._nat.set_up())
        shown = self._shown()
        links.check_up(wanted.interfaces, shown)
        answers = {text: self._running.cli.ask(text) for text in counters.TABLES}
        self._not_understood = [
            f"VPP's answer to `{text}` isn't understood, and not used: {' '.join(answer.split())[:60]!r}"
            for text, answer in answers.items()
            if not counters.understood(text, answer)
        ]
        self._dropped_before, self._errors_before = self._dropped(shown), _errors(answers["show errors"])

    def _give(self, commands: Iterable[Command]) -> None:
        changes = self._running.changes

        def ask(text: str) -> str:
            self._told.append(text)
            return self._running.cli.ask(text)

        if changes is None:
            give(commands, ask)
        else:
            give(commands, ask, changes.will_be)


def _errors(answer: str) -> dict[str, int]:
    """Of `show errors`, by node and reason."""
    return {
        f"{one.node}: {one.reason}": one.packets
        for one in counters.errors(answer)
        if one.severity in ("", "error") and one.reason.lower() not in _IGNORED
    }


def _since(before: Mapping[str, int], now: Mapping[str, int]) -> list[str]:
    """What has grown since then, most first: a VPP that runs for long has counted for others too."""
    grown = {name: more for name, count in now.items() if (more := count - before.get(name, 0)) > 0}
    return [f"VPP's {name}: {more:,}" for name, more in sorted(grown.items(), key=lambda one: -one[1])]
