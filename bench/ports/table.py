"""What was carried, for a screen, for the docs and for JSON."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.table import Table

from bench.ports.carried import Carried

COLUMNS = ("", "", "kfps", "median", "times", "median", "lost")
YARDSTICK = "plain loop"


@dataclass
class Measured:
    """By one program in one case; `rounds[i]` in round i."""

    who: str
    rounds: list[Carried] = field(default_factory=list)

    @property
    def best_fps(self) -> float:
        """Of the best round."""
        return max(one.fps for one in self.rounds)

    @property
    def median_fps(self) -> float:
        """Of the median round."""
        return statistics.median(one.fps for one in self.rounds)

    @property
    def lost(self) -> int:
        """Frames, in all rounds."""
        return sum(one.sent - one.arrived for one in self.rounds)


@dataclass(frozen=True)
class Line:
    """One case: which ports, which traffic, and what each carried."""

    ports: str
    traffic: str
    measured: Sequence[Measured]

    def cells(self) -> list[list[str]]:
        """One row for each program. *times*: as many frames as the yardstick, best rounds, and the median of the ratios
        within one round."""
        yardstick = next(one for one in self.measured if one.who == YARDSTICK)
        rows = []
        for one in self.measured:
            pairs = zip(one.rounds, yardstick.rounds, strict=True)
            ratios = [
                f"{one.best_fps / yardstick.best_fps:.2f}",
                f"{statistics.median(a.fps / b.fps for a, b in pairs):.2f}",
            ]
            rates = [f"{one.best_fps / 1e3:.0f}", f"{one.median_fps / 1e3:.0f}"]
            name = f"{self.ports}, {self.traffic}" if one is self.measured[0] else ""
            rows.append(
                [
                    name,
                    one.who,
                    *rates,
                    *([""] * 2 if one is yardstick else ratios),
                    f"{one.lost:,}" if one.lost else "",
                ]
            )
        return rows

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "ports": self.ports,
            "traffic": self.traffic,
            "measured": {
                one.who: [{"fps": each.fps, "sent": each.sent, "arrived": each.arrived} for each in one.rounds]
                for one in self.measured
            },
        }


def on_screen(lines: Sequence[Line]) -> Table:
    """All of it."""
    table = Table(*COLUMNS)
    for line in lines:
        for row in line.cells():
            table.add_row(*row)
    return table


def in_markdown(lines: Sequence[Line]) -> str:
    """All of it."""
    rows = [COLUMNS, ["---", "---", *["---:"] * (len(COLUMNS) - 2)], *(row for line in lines for row in line.cells())]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)
