"""The real engine, driven through its own protocol: JSON lines over standard input and output (docs/protocol.md)."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ENGINE = Path(os.environ.get("XLATPERF_ENGINE", ROOT / "build" / "engine" / "xlatperf-engine"))
PATIENCE_S = 30.0

Message = dict[str, Any]


class EngineProcess:
    """One engine. Standard input stays open until `end_input`: its end would end the engine."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [str(ENGINE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._lines: queue.Queue[bytes] = queue.Queue()
        self.log = b""
        threading.Thread(target=self._read_answers, daemon=True).start()
        threading.Thread(target=self._read_log, daemon=True).start()

    def _read_answers(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log += line

    def send(self, text: str | bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode() if isinstance(text, str) else text)
        self.process.stdin.flush()

    def receive(self, timeout_s: float = PATIENCE_S) -> Message:
        """The next answer, which is one whole line and a JSON object."""
        try:
            answer = json.loads(self._lines.get(timeout=timeout_s))
        except queue.Empty:
            raise AssertionError(f"no answer within {timeout_s} s; log: {self.log.decode()}") from None
        assert isinstance(answer, dict)
        return answer

    def ask(self, request: str, **fields: Any) -> Message:
        self.send(json.dumps({"request": request, **fields}) + "\n")
        return self.receive()

    def do(self, request: str, **fields: Any) -> Message:
        """Asks and wants no error."""
        answer = self.ask(request, **fields)
        assert "error" not in answer, answer
        assert answer["response"] == request
        return answer

    def error(self, text: str | bytes) -> str:
        """Sends a line and wants exactly one line that says what is wrong."""
        self.send((text.encode() if isinstance(text, str) else text) + b"\n")
        answer = self.receive()
        assert "response" not in answer, answer
        error = answer["error"]
        assert isinstance(error, str)
        assert "\n" not in error
        assert error
        return error

    def is_silent(self) -> bool:
        return self._lines.empty()

    def end_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def wait(self, timeout_s: float) -> int:
        return self.process.wait(timeout_s)


@contextlib.contextmanager
def engine() -> Iterator[EngineProcess]:
    """An engine that is gone at the end, whatever happened."""
    one = EngineProcess()
    try:
        yield one
    finally:
        with contextlib.suppress(BrokenPipeError):
            one.end_input()
        try:
            one.wait(10)
        except subprocess.TimeoutExpired:
            one.process.kill()
            one.wait(10)
            raise
