"""R8219-5.1-1: how long frames are on each side, and which of them bounds the rate."""

from __future__ import annotations

import pytest

from xlatperf.engine.message import DirectionName
from xlatperf.engine.shown import Shown
from xlatperf.procedures.size_mix import SizeMix
from xlatperf.results.frames import SideSizes
from xlatperf.run.cell_sizes import CellSizes, foreground_sizes, mixed_sizes


def shown(direction: DirectionName, sent: int, expected: int) -> Shown:
    def frame(size: int) -> dict[str, str]:
        return {"hex": "00" * (size - 4), "text": ""}

    return Shown.model_validate(
        {"direction": direction, "number": 0, "class": "foreground"}
        | {"sent": frame(sent), "expected": frame(expected)}
    )


@pytest.mark.parametrize(
    ("frames", "of_sender", "told", "longest"),
    [
        ({"forward": (84, 64)}, False, (84, 64), (84, 64)),
        ({"forward": (112, 64), "reverse": (64, 104)}, False, (112, 64), (112, 64)),
        ({"forward": (64, 104), "reverse": (112, 64)}, False, (64, 112), (64, 112)),
        ({"forward": (84, 64), "reverse": (84, 104)}, True, (84, 84), (104, 84)),
        ({"forward": (84, 64)}, True, (84, 64), (84, 64)),
        ({"reverse": (64, 84)}, True, (84, 64), (84, 64)),
    ],
)
def test_foreground(
    frames: dict[DirectionName, tuple[int, int]], of_sender: bool, told: tuple[int, int], longest: tuple[int, int]
) -> None:
    found = foreground_sizes(list(frames), of_sender, lambda name: shown(name, *frames[name]))
    assert found == tuple(SideSizes(left=left, right=right) for left, right in (told, longest))


def test_background_alone() -> None:
    both = SideSizes(left=128, right=128)
    assert CellSizes.alike(SideSizes(left=128, right=108), 128).of_background_alone() == CellSizes(both, both, 128)


def test_of_several() -> None:
    """Means count each size as often as it is sent, and are exact; whole bytes are only said."""
    mix = SizeMix(sizes=(84, 594, 1518), weights=(7, 4, 1), name="IMIX")

    def of(size: int) -> CellSizes:
        return CellSizes(
            SideSizes(left=size, right=size - 20), SideSizes(left=size + 8, right=size - 20), max(size - 20, 84)
        )

    found = mixed_sizes(mix, of)
    assert (found.told.left, found.told.right, found.told.exact("left"), found.told.exact("right")) == (
        374,
        354,
        373.5,
        353.5,
    )
    assert (found.longest.exact("left"), found.background) == (381.5, (7 * 84 + 4 * 574 + 1498) / 12)
    assert found.told.mixed is not None
    assert found.told.mixed.text == "IMIX"
    assert [(one.left, one.right, one.frames) for one in found.told.mixed.shares] == [
        (84, 64, 7),
        (594, 574, 4),
        (1518, 1498, 1),
    ]
    alone = mixed_sizes(mix, lambda size: of(size).of_background_alone())
    assert (alone.told.left, alone.told.right, alone.background) == (365, 365, found.background)
    assert alone.told.exact("left") == alone.longest.exact("right") == found.background
    assert alone.told.mixed is not None
    assert alone.told.mixed.text == "IMIX"
