"""What tests with a virtual machine need, and why they are skipped without it."""

from __future__ import annotations

import pytest

from xlatperf.lab.machine import machine, packages
from xlatperf.lab.programs import OF_MACHINES

_MISSING = [program.missing for program in OF_MACHINES if not program.installed] + machine.missing()
if packages.kernel_release() is None:
    _MISSING.append(f"headers of the virtual machine's kernel aren't installed: apt install {packages.HEADERS}")

needs_machine = pytest.mark.skipif(bool(_MISSING), reason="; ".join(_MISSING))
