"""The bench file that an import writes: a line for each key, with what it is from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from xlatperf.keys.toml_text import toml_value


@dataclass(frozen=True)
class LeftOut:
    """What the bench file hasn't, and why. `matters`: what is measured with it isn't what the source describes."""

    place: str
    why: str
    matters: bool = True


@dataclass(frozen=True)
class Imported:
    """`text`: of the bench file. `table`: lines of the file beside it, which the text calls `BenchText.TABLE`."""

    text: str
    left_out: tuple[LeftOut, ...]
    table: tuple[str, ...] = ()


@dataclass
class BenchText:
    """Grows from top to bottom. `source`: the imported file's name, without its folder."""

    source: str
    lines: list[str] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    TABLE = "@table@"
    """Where the name of the file beside it stands."""

    def begin(self, what: str, title: str, technology: str, origin: str) -> None:
        """Head and device: the reference device, so that it can be tried at once, as `xlatperf init` has it."""
        self.lines += [
            f"# {what}, imported from {one_line(self.source)}.",
            '# Behind each line stands what it is from; "line 5" is one of that file. With the reference device:',
            "#",
            "#   xlatperf show BENCH         the frames, and which networks the device must route to the Tester",
            "#   xlatperf check BENCH        does the device do what it must",
            "#",
            '# Your own device: driver = "manual", and the lines below that begin with a # and a key, without the #.',
            "",
            f"title = {toml_value(title)}",
        ]
        self.table("device")
        self.key("driver", "reference", "not in the file: the software gateway that comes with xlatperf")
        self.table("technology")
        self.key("name", technology, origin)

    def table(self, name: str) -> None:
        """A heading; one without keys below it does no harm."""
        self.lines += ["", f"[{name}]"]

    def key(self, name: str, value: Any, origin: str) -> None:
        """A line."""
        self.lines.append(f"{name} = {toml_value(value)}    # {one_line(origin)}")

    def of_own_device(self, name: str, value: Any, origin: str) -> None:
        """A line that only a device of the user's needs."""
        self.lines.append(f"# {name} = {toml_value(value)}    # {one_line(origin)}")

    def rows(self, name: str, rows: Iterable[tuple[dict[str, Any], str]]) -> None:
        """A list of tables, a line for each, with what it is from."""
        self.lines.append(f"{name} = [")
        self.lines += [f"    {toml_value(row)},    # {one_line(origin)}" for row, origin in rows]
        self.lines.append("]")

    def measure(self, procedure: str, origin: str) -> None:
        """Begins one."""
        if not self.lines[-1].startswith("#"):
            self.lines.append("")
        self.lines.append("[[measure]]")
        self.key("procedure", procedure, f"{origin}; docs/bench-file.md has the others")

    def leave_out(self, place: str, why: str, *, matters: bool = True) -> None:
        """Says what isn't taken over."""
        self.left_out.append(LeftOut(place, why, matters))

    def done(self, table: Iterable[str] = ()) -> Imported:
        """The whole; what was left out stands at its end as well."""
        said = [f"#   {line}" for line in in_words(self.left_out)]
        tail = ["", "# Not taken over:", *said] if said else []
        return Imported("\n".join([*self.lines, *tail]) + "\n", tuple(self.left_out), tuple(table))


def in_words(left_out: Iterable[LeftOut]) -> Iterator[str]:
    """A line for each reason."""
    places: dict[str, list[str]] = {}
    for one in left_out:
        places.setdefault(one_line(one.why), []).append(one_line(one.place))
    for why, of_it in places.items():
        yield f"{', '.join(of_it)}: {why}"


def one_line(text: str) -> str:
    """A text that can stand behind a #: without control characters, which TOML forbids in comments."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
