"""`python -m xlatperf.lab.machine`: makes the virtual machine's image, if it isn't kept already."""

from __future__ import annotations

import sys

from xlatperf.lab.error import LabError
from xlatperf.lab.machine import machine
from xlatperf.lab.machine.image import image


def main() -> int:
    """The exit code. What this host lacks is said, and isn't a failure: what needs the machine says so itself."""
    missing = machine.why_none()
    for line in missing:
        print(f"no virtual machine here: {line}")
    if missing:
        return 0
    try:
        image(print)
    except LabError as error:
        print(f"no virtual machine here: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
