"""What can go wrong between the control and the engine."""

from __future__ import annotations

from xlatperf.failures import Exit, KnownFailure


class EngineError(KnownFailure):
    """The engine refused a request; it is still up. The message is the engine's one line."""

    @property
    def of_bench_file(self) -> str | None:
        """By the bench file's key, if it's what is only looked at there, such as a table's rows."""
        said = str(self)
        own = said.removeprefix("configure.")
        return None if own == said else own

    @property
    def told(self) -> list[str]:
        """With who says so."""
        own = self.of_bench_file
        return [f"the engine refuses this: {self}" if own is None else f"the bench file's {own}"]


class EngineDied(KnownFailure):
    """The engine is gone, does not answer in time or answers nonsense (exit code 3: the Tester's fault)."""

    exit_code = Exit.TESTER

    @property
    def told(self) -> list[str]:
        """With whose fault it is."""
        return [f"the Tester failed: {self}"]
