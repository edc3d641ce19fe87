"""docs/check.md: each fault of its tables is made as its row says, and `check` says what stands there."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.retries import attempts
from tests.system.by_hand import by_hand
from tests.system.command import REPOSITORY, xlatperf
from tests.system.requirements import needs_nft, needs_root, needs_tayga
from tests.system.trials import RELAXED

ATTEMPTS = 3
CHECK = ("--rate", "3000", "--duration", "0.1", "--timeout", "0.15", "--hold", "1")
SIZE = '[[measure]]\nprocedure = "throughput"\nframe_sizes = [1400]\n'
CODE = re.compile(r"`([^`]+)`")
RULES = (
    ("2001:2:0:2000::/51", "198.18.0.0/24", "2001:2:0:c000::1"),
    ("2001:db8::/51", "192.0.2.0/24", "2001:2:0:c000::2"),
)
REFERENCE = {
    "A NAT": 'technology.name = "nat44"\n',
    "A border relay": 'technology.name = "map-e"\ntechnology.role = "br"\ntechnology.domains = ['
    + ", ".join(
        f'{{ ipv6 = "{ipv6}", ipv4 = "{ipv4}", br = "{relay}", ea_bits = 13, psid_offset = 6, ces = 40 }}'
        for ipv6, ipv4, relay in RULES
    )
    + "]\n",
    "An AFTR": 'technology.name = "dslite"\ntechnology.b4s.count = 4\n',
}
"""What the reference device is, by the tables."""
TOML = re.compile(r"[a-z_.]+ = ")
DEVICES = {
    "A router": [needs_root, needs_nft],
    "A translator": [needs_root, needs_tayga],
    "A NAT": [],
    "A border relay": [],
    "An AFTR": [],
    "Your ports": [needs_root],
}
"""The tables by their headings, and what their devices need."""


@dataclass(frozen=True)
class Row:
    """One fault; `made_by` and `says` are what stands in backticks, `seen` a counter."""

    table: str
    fault: str
    made_by: tuple[str, ...]
    seen: str
    says: tuple[str, ...]

    @property
    def keys(self) -> list[str]:
        """Lines of the bench file."""
        return [line for line in self.made_by if TOML.match(line)]

    @property
    def commands(self) -> list[str]:
        """What is typed on the device."""
        return [line for line in self.made_by if not TOML.match(line)]


def rows() -> Iterator[Row]:
    table = ""
    for line in (REPOSITORY / "docs" / "check.md").read_text(encoding="utf-8").splitlines():
        table = line.removeprefix("## ") if line.startswith("## ") else table
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if not line.startswith("| ") or cells[0] == "Fault":
            continue
        fault, made_by, seen, says = cells
        yield Row(table, fault, tuple(CODE.findall(made_by)), seen, tuple(CODE.findall(says)))


ROWS = list(rows())


def bench(base: str, row: Row) -> str:
    """The keys that the row has, in place of those of the same name."""
    for line in row.keys:
        name = line.partition(" = ")[0]
        base = re.sub(rf"^{re.escape(name)} = .*\n", "", base, flags=re.MULTILINE)
    return "\n".join((*row.keys, base))


@contextlib.contextmanager
def device(row: Row) -> Iterator[str]:
    """The device with the fault, and its bench file."""
    if row.table in ("A router", "Your ports"):
        with by_hand() as router:
            for line in row.commands:
                router.run(line)
            yield bench(router.bench("traffic.mix = [[1, 2]]"), row) + SIZE
    elif row.table == "A translator":
        base = 'technology.name = "siit"\ndevice.driver = "tayga"\ntraffic.hops = 3\ntraffic.background_hops = 1\n'
        yield bench(base, row) + RELAXED + SIZE
    else:
        yield bench('device.driver = "reference"\n' + REFERENCE[row.table] + RELAXED, row)


def test_the_tables_are_read() -> None:
    assert {row.table for row in ROWS} == set(DEVICES)
    assert all(row.made_by and row.says for row in ROWS)
    assert len({row.fault for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize(
    "row", [pytest.param(row, marks=DEVICES[row.table], id=row.fault.replace("`", "")) for row in ROWS]
)
def test_a_row(tmp_path: Path, row: Row) -> None:
    for _ in attempts(ATTEMPTS):  # a device that is held up loses more, which has other reasons
        with device(row) as text:
            (tmp_path / "bench.toml").write_text(text)
            ended = xlatperf("check", "bench.toml", *CHECK, folder=tmp_path)
        if all(quoted in ended.output for quoted in row.says):
            break
    assert ended.code == (2 if row.table == "Your ports" else 1), ended.output
    assert "All frames came back" not in ended.output
    for quoted in row.says:
        assert quoted in ended.output
    if row.seen == "lost":
        assert re.search(r"[1-9]\d* │[^│]*│[^│]*│$", ended.output, re.MULTILINE)
    elif row.seen != "-":
        assert row.seen in ended.output
