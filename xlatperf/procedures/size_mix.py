"""Several frame sizes as one traffic (RFC 6985): a sequence of sizes that the frames have in turn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from statistics import fmean
from typing import Annotated

from pydantic import Discriminator, Field, Tag, model_validator

from xlatperf.keys.in_words import plural
from xlatperf.keys.model import ConfigModel, Whole, key
from xlatperf.keys.not_allowed import refuse, toml

MOST_IN_TURN = 1024
MOST_SIZES = 16
LETTERS = {"a": 64, "b": 128, "c": 256, "d": 512, "e": 1024, "f": 1280, "g": 1518}
"""Sizes of RFC 2544 §9.1 by their letters (RFC 6985 §4)."""
_SHORT = 32
"""A genome of so many letters is its own name."""

FrameBytes = Annotated[Whole, Field(ge=64, le=9216)]
"""With FCS."""


class SizeMix(ConfigModel):
    """In a measure's `frame_sizes`: sizes with weights, or a genome."""

    sizes: tuple[FrameBytes, ...] | None = key(
        None,
        "frame sizes with FCS in bytes, of the side that traffic.frame_size_of names",
        allowed=f"a list of 1 to {MOST_SIZES} sizes from 64 (84 for IPv6) to 9216, each once, or a genome",
        min_length=1,
        max_length=MOST_SIZES,
    )
    weights: tuple[Annotated[Whole, Field(ge=1, le=1_000_000)], ...] | None = key(
        None,
        "how many frames have each size, in lowest terms at most 1024 together; they are spread evenly",
        allowed="a list of numbers from 1 to 1000000, one for each size, as [7, 4, 1]",
    )
    genome: str | None = key(
        None,
        "the sizes in order, a letter for each frame; a to g are 64, 128, 256, 512, 1024, 1280, 1518",
        allowed=f"1 to {MOST_IN_TURN} letters, a to g or one of letters, or sizes and weights",
        source="RFC 6985 §4",
        min_length=1,
        max_length=MOST_IN_TURN,
    )
    letters: dict[str, FrameBytes] | None = key(
        None,
        "sizes of the genome's other letters",
        allowed="a table of sizes from 64 (84 for IPv6) to 9216, for A to Z and h to z",
        source="RFC 6985 §5",
    )
    name: str | None = key(None, "what the report calls it", min_length=1, max_length=60)

    def __eq__(self, other: object) -> bool:
        """The same traffic, however it is written."""
        return isinstance(other, SizeMix) and self.in_turn == other.in_turn

    def __hash__(self) -> int:
        """As it is compared."""
        return hash(self.in_turn)

    @model_validator(mode="after")
    def _one_way(self) -> SizeMix:
        if self.genome is None:
            self._check_weights()
        else:
            self._check_genome(self.genome)
        different = len(set(self.in_turn))
        if different > MOST_SIZES:
            refuse("genome", f"{different} sizes", f"at most {MOST_SIZES}")
        return self

    def _check_weights(self) -> None:
        if self.letters is not None:
            refuse("letters", self.letters, "nothing without genome")
        if self.sizes is None:
            raise ValueError("sizes: missing: a list of sizes, or a genome")
        if len(set(self.sizes)) != len(self.sizes):
            refuse("sizes", self.sizes, "each size once")
        if self.weights is None:
            raise ValueError(f"weights: missing: {_one_for_each(self.sizes)}")
        if len(self.weights) != len(self.sizes):
            refuse("weights", self.weights, _one_for_each(self.sizes))
        together = sum(self._lowest)
        if together > MOST_IN_TURN:
            refuse("weights", self.weights, f"at most {MOST_IN_TURN} together in lowest terms, not {together}")

    def _check_genome(self, genome: str) -> None:
        for name in ("sizes", "weights"):
            if getattr(self, name) is not None:
                refuse(name, getattr(self, name), "nothing beside genome")
        for letter in self.letters or {}:
            if len(letter) != 1 or not letter.isascii() or not letter.isalpha() or letter in LETTERS:
                refuse("letters", toml(letter), "A to Z and h to z")
        for letter in genome:
            if letter not in self._by_letter:
                refuse(
                    "genome", toml(letter), f"{', '.join(sorted(self._by_letter))}; others with their sizes in letters"
                )
        if len(genome) > _SHORT and self.name is None:
            raise ValueError(f"name: missing: a name, as the genome has {len(genome)} letters")

    @property
    def _by_letter(self) -> dict[str, int]:
        return {**LETTERS, **(self.letters or {})}

    @property
    def _lowest(self) -> tuple[int, ...]:
        weights = self.weights or ()
        common = math.gcd(*weights)
        return tuple(weight // common for weight in weights)

    @cached_property
    def in_turn(self) -> tuple[int, ...]:
        """The sizes of the frames before they repeat, in bytes with FCS, as the bench file names them."""
        if self.genome is not None:
            return tuple(self._by_letter[letter] for letter in self.genome)
        return tuple(_spread(self.sizes or (), self._lowest))

    @property
    def shares(self) -> dict[int, int]:
        """Of each size so many frames of `in_turn`."""
        return {size: self.in_turn.count(size) for size in dict.fromkeys(self.in_turn)}

    @property
    def mean(self) -> int:
        """Rounded to whole bytes."""
        return round(fmean(self.in_turn))

    @property
    def what(self) -> str:
        """Without its name: `7x84+4x594+1x1518`, or the genome with its own letters."""
        if self.genome is None:
            return "+".join(f"{count}x{size}" for size, count in self.shares.items())
        own = (f"{letter}={size}" for letter, size in sorted((self.letters or {}).items()) if letter in self.genome)
        return ",".join((self.genome, *own))

    def __str__(self) -> str:
        """How it is called."""
        return self.name or self.what


def _one_for_each(sizes: Sequence[int]) -> str:
    return f"{plural(len(sizes), 'number')}, one for each size"


def _spread(sizes: Sequence[int], weights: Sequence[int]) -> Iterator[int]:
    """Each size at even distances, as far as the others let it: who is furthest behind its share is next."""
    together = sum(weights)
    behind = [0] * len(sizes)
    for _ in range(together):
        behind = [own + weight for own, weight in zip(behind, weights, strict=True)]
        place = behind.index(max(behind))
        behind[place] -= together
        yield sizes[place]


def in_turn(mixed: SizeMix | None) -> tuple[int, ...]:
    """What a trial is told of several sizes; empty: it has one."""
    return () if mixed is None else mixed.in_turn


SIZE_TAGS = "(one size)", "(several sizes)"
"""In the place of an error, where a file has no key."""

AnySize = Annotated[
    Annotated[FrameBytes, Tag(SIZE_TAGS[0])] | Annotated[SizeMix, Tag(SIZE_TAGS[1])],
    Discriminator(lambda value: SIZE_TAGS[isinstance(value, dict | SizeMix)]),
]
"""What `frame_sizes` is a list of."""
