"""Engines for a bench: here, or on the host that `tester.host` names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import xlatperf
from xlatperf.config.bench import Bench
from xlatperf.devices.device import Attachment, DeviceError
from xlatperf.devices.tester_host import TesterHost
from xlatperf.engine.client import Engine
from xlatperf.engine.errors import EngineDied
from xlatperf.engine.messages import Describe
from xlatperf.engine.trial_answer import TrialAnswer

_SSH_FAILED = 255
"""ssh(1): an error occurred; else it ends with the exit status of the command there."""


def engine_for(bench: Bench, at: Attachment) -> Engine:
    """One that can open these ports. Raises DeviceError, EngineDied."""
    if bench.tester.host is None:
        return Engine(command_prefix=at.command_prefix)
    try:
        settings = bench.tester.ssh_file("tester")
    except ValueError as error:
        raise DeviceError(str(error)) from error
    return EngineElsewhere(TesterHost(bench.tester.host, settings, bench.tester.engine, at.command_prefix))


class EngineElsewhere(Engine):
    """The same lines over SSH; files that a request names are carried there and back."""

    def __init__(self, host: TesterHost) -> None:
        """Connects and starts it. Raises DeviceError, EngineDied."""
        self.host = host
        self._tables: dict[str, str] = {}
        host.open(xlatperf.__version__)
        try:
            super().__init__(command=host.command)
        except BaseException:
            host.close()
            raise

    def close(self) -> None:
        """Ends it, and the connection."""
        super().close()
        self.host.close()

    def ask(
        self, message: Mapping[str, Any], expected_s: float, meanwhile: Callable[[], None] = lambda: None
    ) -> dict[str, Any]:
        """A lost connection is told as such. Raises EngineError, EngineDied."""
        try:
            return super().ask(message, expected_s, meanwhile)
        except EngineDied as error:
            lost = self.host.why_lost(str(error) if self.status == _SSH_FAILED else "")
            raise EngineDied(lost or f"on {self.host.name} {error}") from error

    def configure(self, message: Mapping[str, Any]) -> Describe:
        """A table of softwires is sent there first. Raises also DeviceError."""
        softwires = message["technology"].get("softwires", {})
        if "table" not in softwires:
            return super().configure(message)
        table = {**softwires, "table": self._sent(softwires["table"])}
        return super().configure({**message, "technology": {**message["technology"], "softwires": table}})

    def trial(self, message: Mapping[str, Any], meanwhile: Callable[[], None] = lambda: None) -> TrialAnswer:
        """When it began is told by this host's clock; raw delays are fetched. Raises also DeviceError."""
        raw = message.get("raw_delays")
        if raw is not None:
            message = {**message, "raw_delays": f"{self.host.folder}/{Path(raw).name}"}
        answer = super().trial(message, meanwhile)
        changed: dict[str, Any] = {}
        if answer.starts_at_s is not None:
            changed["starts_at_s"] = answer.starts_at_s - self.host.ahead_s()
        if raw is not None:
            changed["raw_delays"] = tuple(self._fetched(there, Path(raw).parent) for there in answer.raw_delays)
        return answer.model_copy(update=changed)

    def _sent(self, file: str) -> str:
        if file not in self._tables:
            self._tables[file] = self.host.send(Path(file))
        return self._tables[file]

    def _fetched(self, there: str, folder: Path) -> str:
        here = folder / Path(there).name
        self.host.fetch(there, here)
        return str(here)
