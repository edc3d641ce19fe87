"""The reference device with an engine beside it: faults are ordered, and both counts are compared."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.system.trials import RELAXED, StalledDeviceError, nothing_held_back, valid_trial
from xlatperf.config.bench import Bench
from xlatperf.config.load import parse_bench
from xlatperf.config.request import configure_message
from xlatperf.devices.reference import ReferenceDevice
from xlatperf.run.session import Session, session

TECHNOLOGIES = {
    "siit, IPv6 left": 'name = "siit"\nipv6_side = "left"',
    "siit, IPv6 right": 'name = "siit"\nipv6_side = "right"',
    "native IPv4": 'name = "native"\nfamily = "ipv4"',
    "IPv4 translated twice": 'name = "native"\nfamily = "ipv4"\ndouble_translation = true',
    "native IPv6": 'name = "native"\nfamily = "ipv6"',
}
"""`[technology]`."""
B4 = {"dslite-b4": 'name = "dslite-b4"'}
MAP = {f"{name} {role}": f'name = "{name}"\nrole = "{role}"' for name in ("map-e", "map-t") for role in ("br", "ce")}
LW4O6 = {f"lw4o6 {role}": f'name = "lw4o6"\nrole = "{role}"' for role in ("lwaftr", "lwb4")}
OF_SUBSCRIBERS = MAP | LW4O6
SIDES = {"forward": ("left", "right"), "reverse": ("right", "left")}
"""Where the frames of a direction are sent, and where they arrive."""


@dataclass(frozen=True)
class Seen:
    """A trial's answer, and what the device counted meanwhile."""

    answer: dict[str, Any]
    device: dict[str, Any]


class Gateway:
    """A prepared reference device and an engine with open ports."""

    def __init__(self, bench: Bench, running: Session, device: ReferenceDevice) -> None:
        self.bench = bench
        self.running = running
        self.engine = running.engine
        self.device = device

    def mix(self, take: int, of: int) -> None:
        """So many frames are foreground in the trials that follow."""
        self.engine.configure(configure_message(self.bench, (take, of)))

    def impair(self, **directions: Mapping[str, Any]) -> None:
        """Replaces all impairments; positions begin at 1."""
        self.device.request({"request": "impair", "forward": {}, "reverse": {}, **directions})

    def reset(self) -> None:
        """The device's counters are zero, positions begin at 1."""
        self.device.request({"request": "reset"})

    def trial(self, *, before: Callable[[], object] | None = None, **wanted: Any) -> Seen:
        """A valid trial during which neither end of the shared memory was full; `before` each attempt, else a reset."""
        counts: dict[str, Any] = {}

        def after(answer: dict[str, Any]) -> None:
            counts.update(self.device.request({"request": "counters"}))
            for side in ("left", "right"):
                full = {name: counts[side][name] for name in ("transmit_full", "receive_missed", "no_buffers")}
                if any(full.values()):
                    raise StalledDeviceError(f"the reference device's {side} port: {full}")
            nothing_held_back(answer)

        answer = valid_trial(self.engine, self.bench, before=before or self.reset, after=after, **wanted)
        return Seen(answer, counts)

    def output_family(self, direction: str) -> str:
        """Of the foreground frames of that direction when they leave the device."""
        left, right = self.bench.technology.families
        return f"ipv{right if SIDES[direction][1] == 'right' else left}"


@contextlib.contextmanager
def gateway(name: str, device: str = "", *, technology: str = "") -> Iterator[Gateway]:
    """`name`: a key of the tables above; `device`, `technology`: more lines of the file, of the table."""
    table = f"[technology]\n{(TECHNOLOGIES | B4 | OF_SUBSCRIBERS)[name]}\n{technology}\n"
    text = f'{device}\ntraffic.mix = [[1, 1], [1, 2]]\ndevice.driver = "reference"\n{table}{RELAXED}'
    bench = parse_bench(text, name)
    with session(bench) as running:
        assert isinstance(running.device, ReferenceDevice)
        made = Gateway(bench, running, running.device)
        made.mix(1, 1)
        yield made
