"""The reference device is written from the standards a second time: of the engine it includes addresses and headers
(`wire/`), how messages are read (`message/`) and DPDK is started
(`eal/`)."""

from __future__ import annotations

import re

from tests.system.command import REPOSITORY

REFERENCE = REPOSITORY / "reference"


def test_includes() -> None:
    """Each is a file of the reference device's own, or of the engine's `wire/`, `message/` or `eal/`."""
    files = [path for kind in ("*.h", "*.cpp", "*.inc") for path in REFERENCE.rglob(kind)]
    assert len(files) > 50
    wrong = [
        f"{path.relative_to(REPOSITORY)}: {included}"
        for path in files
        for included in re.findall(r'^#include "([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
        if not included.startswith(("wire/", "message/", "eal/")) and not (REFERENCE / included).is_file()
    ]
    assert wrong == []


def test_rooms_of_technologies_have_names_of_their_own() -> None:
    """The include path has both trees: what translates or maps isn't found by a name that both have."""
    engine = {path.name for path in (REPOSITORY / "engine").iterdir() if path.is_dir()}
    own = {path.name for path in REFERENCE.iterdir() if path.is_dir()}
    assert engine & own == {"control", "port"}
