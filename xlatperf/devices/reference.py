"""The reference device: a software gateway with known capacity, delay, loss and errors, connected over memif.

It needs no root, and shows that what the Tester reports is what is there.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal

from xlatperf.devices.assembled import explained
from xlatperf.devices.cores import beside
from xlatperf.devices.device import POLLS, Attachment, Device, DeviceError, Making, Plan
from xlatperf.devices.driver import driver_key
from xlatperf.devices.memif_cable import memif_cable
from xlatperf.devices.reference_configuration import (
    configuration,
    domains_of,
    keeps_state,
    ports_of_tester,
    table_file,
)
from xlatperf.devices.reference_keys import OfTechnology, ReferenceKeys
from xlatperf.files.own_programs import REFERENCE
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.lab import leftovers, processor_time
from xlatperf.lab.daemon import Daemon
from xlatperf.lab.error import LabError
from xlatperf.lab.runtime_folder import RuntimeFolder

_READY_TIMEOUT_S = 15.0
_POLLS = "while frames arrive, it takes all there is of its core"
_ANSWER_TIMEOUT_S = 3.0


class Reference(ReferenceKeys):
    """`xlatperf-reference` over memif."""

    label = "Reference device"
    version_fact = "reference.version"
    what = "software gateway with faults to order"
    one_queue = "the reference device's ports have no more"

    table_steps: ClassVar[Mapping[str, int]] = {"table_size": 1}

    driver: Literal["reference"] = driver_key()

    def missing(self) -> list[str]:
        """The program, if it isn't built."""
        try:
            find_program()
        except DeviceError as error:
            return [str(error)]
        return []

    def check_technology(self, technology: Mapping[str, Any]) -> None:
        """The domains that it is to know are the technology's."""
        super().check_technology(technology)
        count = len(domains_of(technology))
        if self.domains is not None and (not self.domains or set(self.domains) - set(range(count))):
            allowed = f"numbers from 0 to {count - 1}" if count else "nothing with a technology that has no domains"
            raise DeviceError(not_allowed("device.domains", self.domains, allowed))

    def set_up(self, plan: Plan) -> Making:
        """Starts the device; the Tester attaches to its sockets as soon as they are there."""
        return partial(self._started, plan)

    def _started(self, plan: Plan, undo: ExitStack) -> ReferenceDevice:
        program = find_program()
        with explained():
            leftovers.clean()
            runtime = RuntimeFolder()
            undo.callback(runtime.remove)
            folder = runtime.path
            if plan.softwires is not None:
                shutil.copyfile(plan.softwires, table_file(folder))
            made = {"core": beside(plan.tester_cores)[-1], **configuration(self, plan, folder)}
            file = folder / "reference.json"
            file.write_text(json.dumps(made, indent=1), encoding="utf-8")
            prefix = () if plan.joint is None else plan.joint.command_prefix
            daemon = Daemon("reference", (str(program), "--config", str(file)), folder, prefix)
            undo.callback(daemon.stop)
            attachment = Attachment(*ports_of_tester(plan, folder, self.mtu))
            daemon.start()
        return ReferenceDevice(attachment, made, daemon)

    def cable(self, plan: Plan) -> AbstractContextManager[Attachment]:
        """The two ends of one memif."""
        return memif_cable(self.mtu, plan.asked_fps)


class ReferenceDevice(Device):
    """Its process, and what it was told to be."""

    def __init__(self, attachment: Attachment, made: Mapping[str, Any], daemon: Daemon) -> None:
        super().__init__(attachment)
        self._configuration = made
        self._daemon = daemon
        self._requests = itertools.count(1)

    def clear_state(self) -> None:
        """Deletes all entries of the table at once."""
        if self._keeps_state():
            self.request({"request": "clear"})

    def count_state(self) -> int | None:
        """What the device counts itself; None of technologies without state."""
        if not self._keeps_state():
            return None
        entries = self.request({"request": "counters"}).get("state", {}).get("entries")
        return entries if isinstance(entries, int) else None

    def cpu_s(self) -> dict[str, float]:
        """The process's: with `idle = "poll"` or "yield" all there is of its core, whatever it does."""
        return {"reference": self._daemon.cpu_s}

    def idle_s(self) -> dict[str, float]:
        """Of its core, if it keeps to one."""
        core = self._configuration.get("core")
        idle_s = processor_time.idle_of_cores(() if core is None else (core,))
        return {f"reference {core}": one for core, one in idle_s.items()}

    @property
    def pid(self) -> int | None:
        """Its process's number; None if it has ended."""
        return self._daemon.pid

    def alive(self) -> bool:
        """Its process hasn't ended."""
        return self._daemon.running

    def ended(self) -> str | None:
        """With what it refused, in its words."""
        how = self._daemon.how_ended(_refused(self._daemon.output()))
        return None if how is None else f"the reference device {how}"

    def stopped(self) -> bool:
        """Its process."""
        return self._daemon.stopped

    def set_cores(self, count: int) -> None:
        """It has one thread."""
        if count != 1:
            raise DeviceError(not_allowed("device_cores", count, "1, the reference device has one thread"))

    def set_table(self, entries: int | None, buckets: int | None) -> None:
        """A new table of that size. Raises DeviceError."""
        if entries is None or buckets is not None:
            super().set_table(None, buckets)
        self.request({"request": "clear", "entries": entries})

    def restart(self) -> None:
        """Ends the process and starts it again (RFC 6201 §4.2.2); the Tester's ports connect to it again."""
        with explained():
            self._daemon.start()
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """It says so. Raises DeviceError with what it refused."""
        daemon = self._daemon
        with explained():
            try:
                daemon.wait_until(lambda: _line(daemon.output(), "ready", True) is not None, _READY_TIMEOUT_S)
            except LabError:
                error = _refused(daemon.output())
                if error is not None:
                    raise LabError(in_the_files_words(error)) from None
                raise

    def request(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Asks the device ("counters", "reset", "impair") and returns its answer. Raises DeviceError."""
        daemon, number = self._daemon, next(self._requests)
        before = len(daemon.output())  # a campaign has thousands of answers
        with explained():
            daemon.write(json.dumps({**message, "id": number}))
            daemon.wait_until(lambda: _line(daemon.output()[before:], "id", number) is not None, _ANSWER_TIMEOUT_S)
        answer = _line(daemon.output()[before:], "id", number) or {}
        if "error" in answer:
            raise DeviceError(f"the reference device: {answer['error']}")
        return answer

    def facts(self) -> dict[str, str]:
        """Version and configuration, with all that it is told to do wrong."""
        ready = _line(self._daemon.output(), "ready", True) or {}
        facts = {"reference.configuration": json.dumps(self._configuration), POLLS: _POLLS}
        if (core := self._configuration.get("core")) is not None:
            facts["reference.cores"] = str(core)
        for name in ("version", "hugepages"):
            if name in ready:
                facts[f"reference.{name}"] = str(ready[name])
        return facts

    def diagnose(self) -> list[str]:
        """What the device refused, and what it was told to do wrong."""
        if (ended := self.ended()) is not None:
            return [ended]
        try:
            return explain(self.request({"request": "counters"}), self._configuration)
        except DeviceError as error:
            return [str(error)]

    def _keeps_state(self) -> bool:
        return keeps_state(self._configuration["technology"])


def find_program(environment: Mapping[str, str] | None = None) -> Path:
    """XLATPERF_REFERENCE, else what is built or installed (files/own_programs.py). DeviceError if there is none."""
    try:
        return REFERENCE.find(environment)
    except ValueError as error:
        raise DeviceError(str(error)) from error


def in_the_files_words(error: str) -> str:
    """What the device refused; by the bench file's key if it's one of the keys that go into its technology."""
    found = re.fullmatch(r"technology\.(\w+)(.*)", error, re.DOTALL)
    if found is None or found[1] not in OfTechnology.model_fields:
        return f"device: {error}"
    unknown = found[2].startswith(": unknown key")
    return f"device.{found[1]}{': not with this technology' if unknown else found[2]}"


def explain(counters: Mapping[str, Any], made: Mapping[str, Any]) -> list[str]:
    """The device's counters in words."""
    lines = [
        f"the reference device's {side} port isn't connected"
        for side in ("left", "right")
        if counters.get(side, {}).get("link_up") is False
    ]
    for direction in ("forward", "reverse"):
        counted = counters.get(direction, {})
        for reason, count in counted.get("refused", {}).items():
            lines.append(f"the reference device refused {count} {direction} packets: {reason.replace('_', ' ')}")
        order = (made.get("impair") or {}).get(direction)
        if order:
            lines.append(f"the reference device has orders for {direction}: {json.dumps(order)}")
    return lines


def _parse(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _refused(output: str) -> str | None:
    """The first error that it wrote."""
    return next((str(said["error"]) for line in output.splitlines() if "error" in (said := _parse(line))), None)


def _line(output: str, key: str, value: object) -> dict[str, Any] | None:
    """The JSON line in which `key` is `value`; DPDK's own messages stand between them."""
    for line in output.splitlines():
        found = _parse(line)
        if found.get(key) == value:
            return found
    return None
