"""A mark for tests that make network namespaces."""

from __future__ import annotations

import os

import pytest

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="makes network namespaces: needs root")
