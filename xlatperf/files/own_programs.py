"""Where xlatperf's own programs are: those that aren't Python."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_CHECKOUT = _PACKAGE.parent
INSTALLED = _PACKAGE / "programs"
"""Where a wheel has them (scripts/make-wheel.sh), and so whatever is installed from one."""


@dataclass(frozen=True)
class OwnProgram:
    """`variable` of the environment names another one; `built`: the folder in the repository's build/."""

    name: str
    variable: str
    built: str

    def find(self, environment: Mapping[str, str] | None = None) -> Path:
        """What `variable` names, else what is built beside the package, else in it, else on PATH. ValueError: none."""
        environment = os.environ if environment is None else environment
        named = environment.get(self.variable)
        if named:
            if _is_program(Path(named)):
                return Path(named).resolve()
            raise ValueError(f"{self.variable}: {named} is not a program")
        for path in (_CHECKOUT / "build" / self.built / self.name, INSTALLED / self.name):
            if _is_program(path):
                return path
        found = shutil.which(self.name, path=environment.get("PATH"))
        if found:
            return Path(found)
        raise ValueError(f"{self.name} isn't there: `make build`, or set {self.variable} to its path")


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


ENGINE = OwnProgram("xlatperf-engine", "XLATPERF_ENGINE", "engine")
REFERENCE = OwnProgram("xlatperf-reference", "XLATPERF_REFERENCE", "reference")
