"""The page that compares searches has what the script finds today; each search finds what a device is known to do."""

from __future__ import annotations

import pytest

from docs.searches import DEVICES, PAGE, SEARCHES, compared, part


def test_up_to_date() -> None:
    """Else: python -m docs.searches."""
    assert PAGE.text() == PAGE.with_part(part())


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("device", ["ideal", "collapsing"])
def test_right_where_loss_grows_with_the_rate(device: str, search: str) -> None:
    """R2544-26.1: within the stop width, and never above what the device bears."""
    loses, truth_fps, _ = DEVICES[device]
    found = compared(SEARCHES[search], loses, truth_fps, times=1)
    assert -0.011 < found.worst <= 0
