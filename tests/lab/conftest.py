from __future__ import annotations

from collections.abc import Iterator

import pytest

from xlatperf.lab.testbed import Testbed


@pytest.fixture
def bed() -> Iterator[Testbed]:
    bed = Testbed()
    bed.make()
    yield bed
    bed.remove()
