"""The engine as an object: one method per request of docs/protocol.md."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from pydantic import ValidationError

from xlatperf.engine.binary import find_engine
from xlatperf.engine.errors import EngineDied, EngineError
from xlatperf.engine.mappings import Mappings
from xlatperf.engine.message import Message, SideName
from xlatperf.engine.messages import (
    ConfigureAnswer,
    Describe,
    ExchangeAnswer,
    OpenAnswer,
    ResolveAnswer,
    ShowAnswer,
    SoftwiresAnswer,
)
from xlatperf.engine.process import EngineProcess
from xlatperf.engine.shown import Shown
from xlatperf.engine.trial_answer import TrialAnswer

Answer = TypeVar("Answer", bound=Message)

MARGIN_S = 20.0
"""How much longer than expected an answer may take before the engine counts as dead."""
OPEN_S = 60.0
"""Ports and memory need so long at most, beside the wait for the links."""
SEEN_OFF_S = 12.0
"""How long the engine goes on at most while frames still leave its ports (docs/protocol.md, `waited_ns`)."""
SOFTWIRES_S = 60.0
"""Millions of rows, read or written."""

ALL_COMPARED, SAMPLE = 1 << 22, 1 << 20
"""Mappings of up to so many connections are all compared; of more, about so many."""


class Engine:
    """A running engine. A context manager: leaving it ends the process."""

    def __init__(
        self,
        *,
        command_prefix: Sequence[str] = (),
        binary: Path | None = None,
        command: Sequence[str] = (),
        margin_s: float = MARGIN_S,
    ) -> None:
        """Starts the engine, after `command_prefix` (such as `ip netns exec NAME`). Raises EngineDied.

        `command`: in place of both.
        """
        self._process = EngineProcess(command or (*command_prefix, str(binary or find_engine())))
        self._ids = itertools.count(1)
        self._margin_s = margin_s
        self.opened: OpenAnswer | None = None

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """Process id of the engine, or of the command prefix."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """With which the process has ended; None: it runs."""
        return self._process.status

    def close(self) -> None:
        """Ends the process; may be called twice; never raises."""
        self._process.close()

    def ask(
        self, message: Mapping[str, Any], expected_s: float, meanwhile: Callable[[], None] = lambda: None
    ) -> dict[str, Any]:
        """Sends one request, does `meanwhile` (in this thread), returns the answer as the engine wrote it.

        Raises EngineError if the engine refuses, EngineDied if it is gone or takes `expected_s` and the margin.
        """
        number = next(self._ids)
        self._process.write(json.dumps({**message, "id": number}, allow_nan=False))
        meanwhile()
        while True:
            line = self._process.read(expected_s + self._margin_s)
            try:
                answer = json.loads(line)
            except json.JSONDecodeError as error:
                raise EngineDied(self._process.last_words(f"wrote no JSON: {line.strip()[:80]!r}")) from error
            if not isinstance(answer, dict):
                raise EngineDied(self._process.last_words(f"wrote no object: {line.strip()[:80]!r}"))
            if answer.get("id") in (number, None):  # an older id: the answer to a request that was given up
                break
        if "error" in answer:
            raise EngineError(str(answer["error"]))
        if answer.get("response") != message["request"]:
            raise EngineDied(self._process.last_words(f"answered {answer.get('response')!r} to {message['request']!r}"))
        return answer

    def _ask(self, message: Mapping[str, Any], kind: type[Answer], expected_s: float = 5.0) -> Answer:
        return parse(self.ask(message, expected_s), kind)

    def open(self, message: Mapping[str, Any], meanwhile: Callable[[], None] = lambda: None) -> OpenAnswer:
        """Opens the ports: once in the life of an engine.

        `meanwhile` is called in this thread right after that was asked for; what it raises ends the engine.
        """
        expected_s = OPEN_S + float(message.get("link_timeout_s", 5))
        try:
            self.opened = parse(self.ask(message, expected_s, meanwhile), OpenAnswer)
        except BaseException:
            self._process.close(0.0)  # it may be waiting for links
            raise
        return self.opened

    def configure(self, message: Mapping[str, Any]) -> Describe:
        """Technology, addresses, traffic; any number of times."""
        return self._ask(message, ConfigureAnswer, SOFTWIRES_S).describe

    def softwires(self, path: Path) -> int:
        """Writes the technology's binding table (RFC 7596 §6.1) to a file; how many rows. Needs `configure`."""
        message = {"request": "softwires", "path": str(path.absolute())}
        return self._ask(message, SoftwiresAnswer, SOFTWIRES_S).count

    def show(
        self,
        size: int | Sequence[int],
        frame_size_of: str,
        count: int,
        directions: Sequence[str] = ("forward", "reverse"),
    ) -> tuple[Shown, ...]:
        """The first `count` frames of each direction, sent and expected; several sizes in turn. Needs `configure`."""
        message = {
            "request": "show",
            **({"frame_size": size} if isinstance(size, int) else {"frame_sizes": list(size)}),
            "frame_size_of": frame_size_of,
            "count": count,
            "directions": list(directions),
        }
        return self._ask(message, ShowAnswer, 10.0).frames

    def resolve(self, timeout_s: float = 3.0) -> ResolveAnswer:
        """Asks for the DUT's MAC addresses; it learns ours by that."""
        return self._ask({"request": "resolve", "timeout_s": timeout_s}, ResolveAnswer, timeout_s)

    def exchange(
        self, frames: Sequence[tuple[SideName, bytes]], *, until: bytes, wait_s: float, after_s: float
    ) -> ExchangeAnswer:
        """Sends frames (without FCS) from these sides, and returns what comes within `wait_s`.

        The wait ends `after_s` after a frame that has `until` in it. Needs `configure` and `open`.
        """
        message = {
            "request": "exchange",
            "frames": [{"side": side, "hex": frame.hex()} for side, frame in frames],
            "until": until.hex(),
            "wait_s": wait_s,
            "after_s": after_s,
        }
        return self._ask(message, ExchangeAnswer, wait_s)

    def trial(self, message: Mapping[str, Any], meanwhile: Callable[[], None] = lambda: None) -> TrialAnswer:
        """Runs one trial.

        `meanwhile` is called in this thread right after the trial was asked for.
        """
        if "duration_s" in message:
            sending_s = float(message["duration_s"]) + sum(
                float(step["duration_s"]) for step in message.get("then", ())
            )
            if (one_by_one := message.get("incremental")) is not None:
                sending_s += (one_by_one["flows"] - 1) * one_by_one["interval_s"]
        else:  # one frame for each connection
            sending_s = float(message["connections"]["count"]) / float(message["rate_fps"])
        prepare_s = 10 + float(message.get("connections", {}).get("count", 0)) * 1e-7  # the state table is written once
        waits_s = 2 * float(message.get("timeout_s", 2)) + 2 * float(message.get("settle_s", 0)) + SEEN_OFF_S
        return parse(self.ask(message, sending_s * 1.5 + waits_s + prepare_s, meanwhile), TrialAnswer)

    def mappings(self, connections: int, examples: int = 4) -> Mappings:
        """What the DUT's mappings look like after phase 1 of a stateful test (docs/protocol.md).

        Of very many connections a sample is compared: what shares one in 10,000 still shows a hundred times.
        """
        one_in = 1 if connections <= ALL_COMPARED else -(-connections // SAMPLE)
        message = {"request": "mappings", "examples": examples, "one_in": one_in}
        return self._ask(message, Mappings, 10 + connections * 2e-6)


def parse(answer: Mapping[str, Any], kind: type[Answer]) -> Answer:
    """An answer as its model. Raises EngineDied if it is not as docs/protocol.md says."""
    try:
        return kind.model_validate(answer)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise EngineDied(f"the engine's answer is not as docs/protocol.md says: {place}: {first['msg']}") from error
