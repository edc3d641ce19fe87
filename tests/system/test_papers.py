"""examples/papers in the small on the reference device: ports, connections, rates and durations divided."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from pathlib import Path
from typing import Any

import pytest

from tests.long import more, only_long
from tests.report import draft_labels as labels
from tests.report import test_baseline
from tests.retries import attempts
from tests.system.command import REPOSITORY
from tests.system.trials import RELAXED
from xlatperf.commands.app import run_app
from xlatperf.devices.reference import ReferenceDevice
from xlatperf.failures import Exit

PAPERS = REPOSITORY / "examples" / "papers"
MOST_CLIENT_PORTS, MOST_SERVER_PORTS, RATE_FPS = 40, 80, 20_000
TABLE = 500
"""Entries of the table whose capacity is searched."""
STATE = {"entries": 4000, "timeout_s": 60, "mapping": "address_and_port_dependent"}
SMALL = {
    "minimum_fps": RATE_FPS,
    "maximum_fps": RATE_FPS,
    "repetitions": 1,
    "timeout_s": 0.05,
    "settle_s": 0,
    "learning_wait_s": 0,
    "retries": 30,
}
FIG_2 = "draft-lencse-fig-02"
TABLES = {
    FIG_2: ["Fig. 2"],
    "draft-lencse-fig-04-05": ["Fig. 4", "Fig. 5"],
    "draft-lencse-fig-06": ["Fig. 6"],
    "draft-lencse-fig-08": ["Fig. 8"],
    "draft-lencse-fig-09-10": ["Fig. 9", "Fig. 10"],
    "draft-lencse-fig-11": ["Fig. 11"],
    "draft-lencse-fig-12-13": ["Fig. 12", "Fig. 13"],
    "ipv4aas-464xlat-connections": [],
    "ipv4aas-464xlat-cores": [],
    "ipv4aas-map-t-connections": [],
    "ipv4aas-map-t-cores": [],
}
"""Tables with the draft's labels that each file makes."""
Ports = dict[str, int]


def divided(ports: Ports, most: int, of: int) -> Ports:
    """So many of the ports that the largest of all ranges, `of`, becomes `most`."""
    count = ports["last"] - ports["first"] + 1
    return {"first": ports["first"], "last": ports["first"] + ceil(count * most / of) - 1}


def size(ports: Ports) -> int:
    return ports["last"] - ports["first"] + 1


class Small:
    """A bench file of papers/, divided."""

    def __init__(self, name: str) -> None:
        self.bench: dict[str, Any] = tomllib.loads((PAPERS / f"{name}.toml").read_text(encoding="utf-8"))
        self.knows_its_table = "set_table_command" in self.bench["device"]
        columns = self.bench.get("column", [])
        self._most = {
            end: max((size(one[end]) for one in columns), default=0) for end in ("client_ports", "server_ports")
        }
        for column in columns:
            self._divide(column)
        traffic = self.bench.get("traffic", {})
        for way in ("forward", "reverse"):
            for ports in traffic.get(way, {}).values():
                clients = ports["first"] > 1
                ports.update(divided(ports, *((MOST_CLIENT_PORTS, 4000) if clients else (MOST_SERVER_PORTS, 1000))))
        for measure in self.bench["measure"]:
            self._measure(measure)
        stateful = "connections" in traffic
        self.bench["device"] = {"driver": "reference", **({"state": STATE} if stateful else {})}
        self.bench["tester"] = tomllib.loads(RELAXED)["tester"]

    def _divide(self, column: dict[str, Any]) -> None:
        column["client_ports"] = divided(column["client_ports"], MOST_CLIENT_PORTS, self._most["client_ports"])
        column["server_ports"] = divided(column["server_ports"], MOST_SERVER_PORTS, self._most["server_ports"])
        column["connections"] = size(column["client_ports"]) * size(column["server_ports"])
        if column.pop("hash_size", None) is not None:
            column["table_size"] = 2 * column["connections"]

    def _measure(self, measure: dict[str, Any]) -> None:
        for name in ("media_mbps", "search_duration_s"):
            measure.pop(name, None)
        measure.update(
            {name: value for name, value in SMALL.items() if measure["procedure"] != "teardown" or "fps" not in name}
        )
        if "duration_s" in measure:
            measure["duration_s"] = 0.1
        if measure["procedure"] == "capacity":
            measure.update(
                {
                    "columns": [{"table_size": TABLE}],
                    "safe_connections": 100,
                    "minimum_phase_1_s": 0.02,
                    "minimum_fps": 1000,
                }
            )

    def text(self) -> str:
        """As TOML."""
        return "".join(f"{json.dumps(name)} = {inline(value)}\n" for name, value in self.bench.items())


def inline(value: Any) -> str:
    """In one line of TOML."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(name)} = {inline(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value)


def measured(folder: Path, small: Small) -> Path:
    """The campaign's folder. What a host that was held up took away is measured again."""
    for number in attempts(4):
        bench, made = folder / f"{number}.toml", folder / f"c{number}"
        bench.write_text(small.text(), encoding="utf-8")
        code = run_app(["run", str(bench), "--folder", str(made), "--skip-selftest"])
        assert code != Exit.USER
        if code == Exit.DONE:
            return made
    raise AssertionError("no attempt was complete")


def written(folder: Path) -> list[list[str]]:
    """scalability.csv."""
    return list(csv.reader((folder / "scalability.csv").open(newline="", encoding="utf-8")))


def tables(folder: Path) -> dict[str, list[str]]:
    """Names of the rows of scalability.csv, by the beginning of the title; an empty row is between two tables."""
    blocks = [list(block) for filled, block in groupby(written(folder), bool) if filled]
    return {
        title.partition(":")[0]: [name for name, *_ in block if not name.endswith(", bound")]
        for (title, *_), *block in blocks
    }


@dataclass(frozen=True)
class Paper:
    """A bench file's name, the folder of its campaign in the small, and of forwarding by the same device."""

    name: str
    folder: Path
    forwarding: Path | None


@contextmanager
def of_many_cores(small: Small) -> Iterator[None]:
    """The reference device has one thread, and its results are the same whatever the number of cores.

    A device whose table nobody can set tells nothing of it either, as Jool.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ReferenceDevice, "set_cores", lambda _, __: None)
        if not small.knows_its_table:
            patched.setattr(ReferenceDevice, "facts", lambda _: {})
        yield


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=[more, only_long] if "map-t" in name else []) for name in TABLES],
)
def paper(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Paper:
    small = Small(request.param)
    with of_many_cores(small):
        folder = measured(tmp_path_factory.mktemp("paper"), small)
        below = None
        if request.param == FIG_2:
            below = measured(tmp_path_factory.mktemp("forwarding"), Small(f"{FIG_2}-forwarding"))
            assert run_app(["report", str(folder), "--baseline", str(below)]) == Exit.DONE
    return Paper(request.param, folder, below)


def test_its_tables(paper: Paper) -> None:
    """R9693-5.1, R9693-5.2, R9693-4.8, R9693-4.9: the draft's labels, to the letter; a capacity is the table's size."""
    found = tables(paper.folder)
    assert [title for title in found if title.startswith("Fig. ")] == TABLES[paper.name]
    for title in TABLES[paper.name]:
        if title == "Fig. 6":
            (medians,) = [row for row in written(paper.folder)[:3] if row[0] == "median"]
            assert float(medians[-1]) in (TABLE - 1, TABLE)
            continue
        wanted = [getattr(labels, title.upper().replace(". ", "_"))]
        wanted += [test_baseline.HEADING, test_baseline.BASELINE] if paper.name == FIG_2 else []
        assert " | ".join(found[title]) == " | ".join(wanted)


@pytest.mark.parametrize("paper", [FIG_2], indirect=True)
def test_compared_with_forwarding(paper: Paper) -> None:
    """`compare` of the two campaigns has the ratio that the campaign with the other as its baseline has."""
    assert paper.forwarding is not None
    output = paper.folder / "compared.html"
    assert run_app(["compare", str(paper.forwarding), str(paper.folder), "-o", str(output)]) == Exit.DONE

    def ratio(path: Path) -> list[str]:
        lines = csv.reader(path.open(newline="", encoding="utf-8"))
        return next(
            values for name, _, *values in (line for line in lines if len(line) > 2) if name == "throughput ratio (%)"
        )

    assert ratio(paper.folder / "compared-scalability.csv") == ratio(paper.folder / "scalability.csv")


@pytest.mark.skipif(
    shutil.which("pdflatex") is None, reason="pdflatex isn't installed: apt install texlive-latex-recommended"
)
def test_its_latex_compiles(paper: Paper) -> None:
    """In a document of its own."""
    document = paper.folder / "document.tex"
    inputs = "".join(f"\\input{{{path.stem}}}\n" for path in sorted(paper.folder.glob("*scalability.tex")))
    document.write_text(
        f"\\documentclass{{article}}\n\\usepackage{{booktabs}}\n\\begin{{document}}\n{inputs}\\end{{document}}\n"
    )
    ended = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", document.name],
        cwd=paper.folder,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout.decode(errors="replace")
