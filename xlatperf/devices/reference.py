"""The reference device: a software gateway with known capacity, delay, loss and errors, connected over memif.

It needs no root, and shows that what the Tester reports is what is there.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from xlatperf.devices.device import Attachment, DeviceError, Plan
from xlatperf.devices.options import beside
from xlatperf.devices.reference_configuration import (
    configuration,
    keeps_state,
    port_of_tester,
    ports_of_cable,
    table_file,
)
from xlatperf.lab import leftovers
from xlatperf.lab.daemon import Daemon
from xlatperf.lab.error import LabError
from xlatperf.lab.runtime_folder import RuntimeFolder

NAME = "xlatperf-reference"
_READY_TIMEOUT_S = 15.0
_ANSWER_TIMEOUT_S = 3.0


class Reference:
    """Driver of `xlatperf-reference`."""

    name = "reference"

    def __init__(self) -> None:
        self._folder: RuntimeFolder | None = None
        self._daemon: Daemon | None = None
        self._configuration: dict[str, Any] = {}
        self._requests = itertools.count(1)

    def missing(self) -> list[str]:
        """The program, if it isn't built."""
        try:
            find_program()
        except DeviceError as error:
            return [str(error)]
        return []

    def prepare(self, plan: Plan) -> Attachment:
        """Starts the device; the Tester attaches to its sockets."""
        program = find_program()
        leftovers.clean()
        try:
            self._folder = RuntimeFolder()
            folder = self._folder.path
            if plan.softwires is not None:
                shutil.copyfile(plan.softwires, table_file(folder))
            self._configuration = {"core": beside(plan.tester_cores)[-1], **configuration(plan, folder)}
            file = folder / "reference.json"
            file.write_text(json.dumps(self._configuration, indent=1), encoding="utf-8")
            self._daemon = Daemon("reference", (str(program), "--config", str(file)), folder)
            self._run(self._daemon)
        except LabError as error:
            raise DeviceError(str(error)) from error
        return Attachment(port_of_tester("left", folder, plan.options), port_of_tester("right", folder, plan.options))

    @contextlib.contextmanager
    def cable(self, plan: Plan) -> Iterator[Attachment]:
        """The two ends of one memif."""
        try:
            folder = RuntimeFolder()
        except LabError as error:
            raise DeviceError(str(error)) from error
        try:
            yield Attachment(*ports_of_cable(folder.path, plan.options))
        finally:
            folder.remove()

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
        return {} if self._daemon is None else {"reference": self._daemon.cpu_s}

    @property
    def pid(self) -> int | None:
        """Its process's number; None if it isn't started."""
        return None if self._daemon is None else self._daemon.pid

    def alive(self) -> bool:
        """Its process hasn't ended."""
        return self._daemon is not None and self._daemon.running

    def set_cores(self, count: int) -> None:
        """It has one thread."""
        if count != 1:
            raise DeviceError(f"device_cores: {count} is not allowed: 1, the reference device has one thread")

    def restart(self) -> None:
        """Ends the process and starts it again (RFC 6201 §4.2.2); the Tester's ports connect to it again."""
        if self._daemon is None:
            raise DeviceError("the reference device isn't started")
        try:
            self._run(self._daemon)
        except LabError as error:
            raise DeviceError(str(error)) from error

    def request(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Asks the device ("counters", "reset", "impair") and returns its answer. Raises DeviceError."""
        if self._daemon is None:
            raise DeviceError("the reference device isn't started")
        daemon, number = self._daemon, next(self._requests)
        before = len(daemon.output())  # a campaign has thousands of answers
        try:
            daemon.write(json.dumps({**message, "id": number}))
            daemon.wait_until(lambda: _line(daemon.output()[before:], "id", number) is not None, _ANSWER_TIMEOUT_S)
        except LabError as error:
            raise DeviceError(str(error)) from error
        answer = _line(daemon.output()[before:], "id", number) or {}
        if "error" in answer:
            raise DeviceError(f"the reference device: {answer['error']}")
        return answer

    def facts(self) -> dict[str, str]:
        """Version and configuration, with all that it is told to do wrong."""
        if self._daemon is None:
            return {}
        ready = _line(self._daemon.output(), "ready", True) or {}
        facts = {"reference.configuration": json.dumps(self._configuration)}
        for name in ("version", "hugepages"):
            if name in ready:
                facts[f"reference.{name}"] = str(ready[name])
        return facts

    def diagnose(self) -> list[str]:
        """What the device refused, and what it was told to do wrong."""
        if self._daemon is None:
            return ["the device isn't prepared"]
        if not self._daemon.running:
            return [f"the reference device's process has ended: {self._daemon.last_line()}"]
        try:
            return explain(self.request({"request": "counters"}), self._configuration)
        except DeviceError as error:
            return [str(error)]

    def remove(self) -> None:
        """Ends the process and removes its sockets. Never raises; may be called twice."""
        if self._daemon is not None:
            self._daemon.stop()
            self._daemon = None
        if self._folder is not None:
            self._folder.remove()
            self._folder = None

    def _keeps_state(self) -> bool:
        return bool(self._configuration) and keeps_state(self._configuration["technology"])

    @staticmethod
    def _run(daemon: Daemon) -> None:
        daemon.start()
        try:
            daemon.wait_until(lambda: _line(daemon.output(), "ready", True) is not None, _READY_TIMEOUT_S)
        except LabError:
            for line in daemon.output().splitlines():
                error = _parse(line).get("error")
                if error is not None:
                    raise LabError(f"device: {error}") from None
            raise


def find_program(environment: Mapping[str, str] | None = None) -> Path:
    """XLATPERF_REFERENCE, else what is built beside the package, else PATH. DeviceError if there is none."""
    environment = os.environ if environment is None else environment
    named = environment.get("XLATPERF_REFERENCE")
    if named:
        if os.access(named, os.X_OK) and Path(named).is_file():
            return Path(named).resolve()
        raise DeviceError(f"XLATPERF_REFERENCE: {named} is not a program")
    built = Path(__file__).resolve().parents[2] / "build" / "reference" / NAME
    if os.access(built, os.X_OK):
        return built
    found = shutil.which(NAME, path=environment.get("PATH"))
    if found:
        return Path(found)
    raise DeviceError(f"{NAME} isn't there: `make build`, or set XLATPERF_REFERENCE to its path")


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


def _line(output: str, key: str, value: object) -> dict[str, Any] | None:
    """The JSON line in which `key` is `value`; DPDK's own messages stand between them."""
    for line in output.splitlines():
        found = _parse(line)
        if found.get(key) == value:
            return found
    return None
