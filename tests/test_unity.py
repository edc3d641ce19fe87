"""How many C++ files of a room are one unit depends on the build: what one calls a type or constant, no other does."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[1]
TYPE = re.compile(r"^(?:struct|class|enum|enum class|union) (\w+)(?= [:{]| final)", re.MULTILINE)
CONSTANT = re.compile(
    r"^(?:(?:inline|static) )?(?:const|constexpr) [^(=;\n]*?(\w+)(?:\[\w*\])?(?: =|\{|\()", re.MULTILINE
)


def names_of_rooms(base: Path) -> dict[tuple[str, str], list[str]]:
    """The names at the beginning of a line in the .cpp files below base -> (room, name): the files."""
    files: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path in sorted(base.rglob("*.cpp")):
        text = path.read_text(encoding="utf-8")
        for name in {match[1] for match in chain(TYPE.finditer(text), CONSTANT.finditer(text))}:
            files[path.relative_to(base).parts[0], name].append(path.name)
    return files


def test_no_name_twice() -> None:
    for base in ("engine", "tests/engine", "reference", "tests/reference"):
        names = names_of_rooms(ROOT / base)
        assert names
        assert not {key: files for key, files in names.items() if len(files) > 1}


def test_a_name_twice_is_seen(tmp_path: Path) -> None:
    (tmp_path / "trial").mkdir()
    for name, text in (
        ("one", "struct Owner {\n};\n"),
        ("two", "const int Owner[] = {1};\n"),
        ("three", "struct Own {\n};\n"),
    ):
        (tmp_path / "trial" / f"{name}.cpp").write_text(text)
    assert names_of_rooms(tmp_path) == {("trial", "Owner"): ["one.cpp", "two.cpp"], ("trial", "Own"): ["three.cpp"]}
