"""What tests with a virtual machine need, and why they are skipped without it."""

from __future__ import annotations

import pytest

from xlatperf.lab.machine import machine
from xlatperf.lab.programs import OF_MACHINES

_MISSING = [program.missing for program in OF_MACHINES if not program.installed] + machine.missing()

needs_machine = pytest.mark.skipif(bool(_MISSING), reason="; ".join(_MISSING))
