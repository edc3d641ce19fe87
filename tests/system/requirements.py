"""What some tests need of the host. A test that can't run says why (pytest -ra prints it)."""

from __future__ import annotations

import pytest

from tests.lab.root import needs_root
from xlatperf.lab.programs import installed

needs_tayga = pytest.mark.skipif(not installed("tayga"), reason="tayga isn't installed: apt install tayga")
needs_nft = pytest.mark.skipif(not installed("nft"), reason="nft isn't installed: apt install nftables")
needs_vpp = pytest.mark.skipif(not installed("vpp"), reason="vpp isn't installed: fd.io has packages")

__all__ = ["needs_nft", "needs_root", "needs_tayga", "needs_vpp"]
