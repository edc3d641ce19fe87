"""launchers.py FOLDER: writes programs that start what is in ../lib/xlatperf, one for each script of pyproject.toml."""

import sys
import tomllib
from pathlib import Path

LAUNCHER = """#!{python} -I
import os
import sys

if sys.version_info[:2] != {version}:
    made_for = "{name} was installed for Python {version[0]}.{version[1]}"
    print(made_for + ", and {python} is another version by now: install xlatperf again", file=sys.stderr)
    sys.exit(3)
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "lib", "xlatperf"))

from {module} import {function}

sys.exit({function}())
"""


def main(folder: Path) -> None:
    """By the Python that this runs with; the system's, if it is that of a virtual environment."""
    with open("pyproject.toml", "rb") as file:
        scripts = tomllib.load(file)["project"]["scripts"]
    for name, target in scripts.items():
        module, function = target.split(":")
        path = folder / name
        python = f"{sys.base_prefix}/bin/python3"
        version = tuple(sys.version_info[:2])
        path.write_text(
            LAUNCHER.format(python=python, version=version, name=name, module=module, function=function),
            encoding="utf-8",
        )
        path.chmod(0o755)


main(Path(sys.argv[1]))
