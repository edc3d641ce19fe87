"""An instance of Jool: a translator in the kernel of a device, which a program of its kind sets up.

Jool's documentation: https://nicmx.github.io/Jool/en/usr-flags-instance.html and the pages beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv4Network

from xlatperf.devices.assembled import Part
from xlatperf.lab.error import LabError
from xlatperf.lab.programs import IP, NFT, Program
from xlatperf.lab.remote.testbed import Needed
from xlatperf.lab.transport import Transport

SIIT, NAT64, MAP_T = "jool_siit", "jool", "jool_mapt"
"""Programs, and so kinds of instances."""
_PREFIX = {SIIT: "pool6", NAT64: "pool6", MAP_T: "dmr"}
"""What each calls its translation prefix."""
_NAME = "xlatperf"
_COUNTER = re.compile(r"(?P<name>\w+): (?P<count>[0-9]+)")


# Jool sends what it has translated past all chains but this one.
MENDING_RULES = """table ip6 mend {
    chain mend {
        type filter hook postrouting priority mangle;
        udp checksum 0 udp checksum set 0xffff
    }
}
"""


def needed_for(program: str, otherwise: str = "") -> Needed:
    """What another host needs for instances of this kind: the module has the program's name."""
    return Needed((IP, NFT, Program(program, "Jool", "jool-tools jool-dkms", otherwise)), (program,))


class JoolInstance(Part):
    """One that sees all packets of its namespace (netfilter)."""

    def __init__(
        self,
        program: str,
        device: Transport,
        prefix: str | None,
        settings: Sequence[Sequence[str]] = (),
        *,
        mend: bool = False,
        pool: Sequence[IPv4Network] = (),
    ) -> None:
        """`prefix`: its translation prefix (pool6 or dmr); `settings`: words of commands that follow.

        `pool`: networks that become the device's own, as Jool's documentation has it: it takes no packet for one of
        its clients from another one (RFC 6146 §3.8) whose pool the device can't route to.

        `mend`: a UDP checksum 0 in IPv6 becomes 0xffff, for else one connection in 65,000 can't succeed: a test in
        which not one may fail (RFC 9693 §4.5) would find next to no rate.
        """
        self._mend = mend
        self._pool = tuple(pool)
        self._program = program
        self._device = device
        self._prefix = prefix
        self._settings = tuple(tuple(words) for words in settings)

    def make(self) -> None:
        """Raises LabError."""
        if self._mend:
            self._device.run(("nft", "-f", "-"), text=MENDING_RULES)
        with self._device.network() as there:
            for network in self._pool:
                there.add_address("lo", str(network))  # on this interface all of a network is the device's own
        self._add()

    def _add(self) -> None:
        prefix = () if self._prefix is None else (f"--{_PREFIX[self._program]}", self._prefix)
        self._device.run((self._program, "instance", "add", _NAME, "--netfilter", *prefix))
        for words in self._settings:
            self._ask(*words)

    def restart(self) -> None:
        """Removed and added: all that it knew is gone."""
        self.remove_instance()
        self._add()

    def remove_instance(self) -> None:
        """Packets pass untranslated from now on. Raises LabError."""
        self._device.run((self._program, "instance", "remove", _NAME))

    def clear_state(self) -> None:
        """As `restart`, where it keeps sessions: Jool has no command that empties its table."""
        if self._program == NAT64:
            self.restart()

    def count_state(self) -> int | None:
        """Its sessions; None: it keeps none."""
        return self.counters()["JSTAT_SESSIONS"] if self._program == NAT64 else None

    def counters(self) -> dict[str, int]:
        """All of Jool's, by its own names, since it was made. Raises LabError."""
        return parse_counters(self._ask("stats", "display", "--all"))

    def facts(self) -> dict[str, str]:
        """Version, what it was told, and all its settings."""
        told = [" ".join(words) for words in self._settings]
        return {
            "jool": self._device.run((self._program, "--version")).strip(),
            f"{self._program}.{_PREFIX[self._program]}": self._prefix or "none",
            f"{self._program}.told": "; ".join(told) or "nothing",
            f"{self._program}.global": "; ".join(_lines(self._ask("global", "display"))),
            **({f"{self._program}.nft": MENDING_RULES} if self._mend else {}),
        }

    def diagnose(self) -> list[str]:
        """The counters of what it dropped or passed on, in Jool's own words. Raises LabError."""
        try:
            shown = self._ask("stats", "display", "--all", "--explain")
        except LabError as error:
            return [f"Jool has no instance {_NAME}: {error}"]
        return [f"Jool: {line}" for line in explained(shown)]

    def _ask(self, *words: str) -> str:
        return self._device.run((self._program, "--instance", _NAME, *words))


def parse_counters(shown: str) -> dict[str, int]:
    """Of lines `JSTAT_SUCCESS: 7`."""
    matches = (_COUNTER.fullmatch(line.strip()) for line in shown.splitlines())
    return {match["name"]: int(match["count"]) for match in matches if match is not None}


def explained(shown: str) -> list[str]:
    """What `stats display --all --explain` shows that isn't 0, each in a line."""
    found: list[str] = []
    wanted = False
    for line in shown.splitlines():
        match = _COUNTER.match(line)
        if match is not None:
            wanted = match["count"] != "0"
            if wanted:
                found.append(f"{match['name']} {match['count']}")
        elif wanted and line.strip():
            found[-1] += f": {line.strip()}" if ": " not in found[-1] else f" {line.strip()}"
    return found


def _lines(shown: str) -> list[str]:
    return [" ".join(line.split()) for line in shown.splitlines() if line.strip()]
