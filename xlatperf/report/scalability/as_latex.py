"""scalability.tex: the tables for a paper; the preamble needs `\\usepackage{booktabs}`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from xlatperf.files.writing import write_whole
from xlatperf.procedures.quantity import Bound
from xlatperf.report.evidence import Evidence
from xlatperf.report.scalability.table import ScalabilityTable, TableRow
from xlatperf.report.scalability.tables import tables

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "§": r"\S{}",
    "µ": r"$\mu$",
    "\N{NO-BREAK SPACE}": "~",
}


def write(evidence: Evidence, folder: Path) -> Path | None:
    """Writes scalability.tex into the folder and returns its path; None if there is no table."""
    found = tables(evidence)
    if not found:
        return None
    path = folder / "scalability.tex"
    about = f"{evidence.results.title}: {evidence.device}"
    written = [tabular(table, f"Device: {evidence.device}", number) for number, table in enumerate(found, 1)]
    write_tables(written, path, about, evidence.results.xlatperf_version)
    return path


def write_tables(written: Sequence[str], path: Path, about: str, version: str) -> None:
    """Writes such a file: tables behind a comment on what they are about."""
    head = [
        f"% {' '.join(about.split())}",
        f"% Made by xlatperf {version}; the preamble needs \\usepackage{{booktabs}}.",
    ]
    write_whole(path, "\n\n".join(["\n".join(head), *written]) + "\n")


def escaped(text: str) -> str:
    """Text that LaTeX shows as it is, on one line; control characters are left out."""
    line = "".join(" " if letter.isspace() and letter not in _SPECIAL else letter for letter in text)
    return "".join(_SPECIAL.get(letter, letter if letter.isprintable() else "") for letter in line)


def tabular(table: ScalabilityTable, devices: str, number: int, label: str = "scalability") -> str:
    """One table environment. `devices`: which they are, for the caption."""
    caption = f"{table.title}. {devices}. Rows: {table.standard.removesuffix('.')}."
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            f"  \\caption{{{escaped(caption)}}}",
            f"  \\label{{tab:{label}-{number}}}",
            f"  \\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
            r"    \toprule",
            _line(table.head, list(map(escaped, table.heads()))),
            r"    \midrule",
            *[_row(row, len(table.columns)) for row in table.rows],
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
        ]
    )


def _row(row: TableRow, columns: int) -> str:
    if not row.values:
        return f"    \\addlinespace\n    \\multicolumn{{{columns + 1}}}{{l}}{{\\textit{{{escaped(row.name)}}}}} \\\\"
    name = f"{row.name}, {row.unit}" if row.unit else row.name
    return _line(name, [_number(row, column) for column in range(len(row.values))])


def _line(name: str, cells: list[str]) -> str:
    return f"    {' & '.join([escaped(name), *cells])} \\\\"


_SIGNS: dict[Bound, str] = {"": "", ">=": r"$\geq$~", "<=": r"$\leq$~", "~": r"$\sim$~"}


def _number(row: TableRow, column: int) -> str:
    value = row.values[column]
    return "--" if value is None else _SIGNS[row.bound(column)] + row.text(value)
