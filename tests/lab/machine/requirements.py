"""What tests with a virtual machine need, and why they are skipped without it."""

from __future__ import annotations

import pytest

from xlatperf.lab.machine import machine

_MISSING = machine.why_none()

needs_machine = pytest.mark.skipif(bool(_MISSING), reason="; ".join(_MISSING))
