"""What some tests need of the host. A test that can't run says why (pytest -ra prints it)."""

from __future__ import annotations

import pytest

from tests.lab.root import needs_root
from xlatperf.lab.programs import installed

needs_tayga = pytest.mark.skipif(not installed("tayga"), reason="tayga isn't installed: apt install tayga")
needs_nft = pytest.mark.skipif(not installed("nft"), reason="nft isn't installed: apt install nftables")

__all__ = ["needs_nft", "needs_root", "needs_tayga"]
