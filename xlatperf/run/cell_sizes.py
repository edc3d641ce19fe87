"""How long the frames of a cell are, as the engine says: Python calculates no headers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Self

from xlatperf.engine.message import DirectionName
from xlatperf.engine.shown import Shown
from xlatperf.procedures.size_mix import SizeMix
from xlatperf.results.frames import MixedSizes, SideSizes, SizeShare


class CellSizes(NamedTuple):
    """Bytes with FCS. `told`: the foreground's on each side; where the bench file names those that are sent, these.

    `longest`: of the foreground's on each side, which bounds the rate (RFC 8219 §5.1). `background`: of native frames,
    of several sizes the mean.
    """

    told: SideSizes
    longest: SideSizes
    background: float

    @classmethod
    def alike(cls, sizes: SideSizes, background: float) -> Self:
        """All of a side have one size."""
        return cls(sizes, sizes, background)

    def of_background_alone(self) -> CellSizes:
        """No frame is translated."""
        size = round(self.background)
        return self.alike(SideSizes(left=size, right=size), self.background)


def mixed_sizes(mix: SizeMix, of: Callable[[int], CellSizes]) -> CellSizes:
    """Of several sizes; `of`: what those of one are."""
    each = {size: of(size) for size in mix.shares}
    frames = sum(mix.shares.values())

    def together(sides: Callable[[CellSizes], SideSizes]) -> SideSizes:
        shares = tuple(
            SizeShare(left=sides(each[size]).left, right=sides(each[size]).right, frames=count)
            for size, count in mix.shares.items()
        )
        mixed = SideSizes(left=0, right=0, mixed=MixedSizes(text=str(mix), shares=shares))
        return mixed.model_copy(update={"left": round(mixed.exact("left")), "right": round(mixed.exact("right"))})

    background = sum(each[size].background * count for size, count in mix.shares.items()) / frames
    return CellSizes(together(lambda one: one.told), together(lambda one: one.longest), background)


def foreground_sizes(
    directions: Sequence[DirectionName], of_sender: bool, show: Callable[[DirectionName], Shown]
) -> tuple[SideSizes, SideSizes]:
    """`told` and `longest`; `show`: the first frame of a direction. `of_sender`: the bench file names those sent."""
    on_side: dict[str, list[int]] = {"left": [], "right": []}
    sent: dict[str, int] = {}
    for name in directions:
        frame = show(name)
        here, there = ("left", "right") if name == "forward" else ("right", "left")
        sent[here] = frame.sent.size
        on_side[here].append(frame.sent.size)
        on_side[there].append(frame.expected.size)
    longest = SideSizes(left=max(on_side["left"]), right=max(on_side["right"]))
    return (SideSizes(**sent) if of_sender and len(sent) > 1 else longest), longest
