"""Several sizes as one traffic (RFC 6985): which size each frame has, and what that is called."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from xlatperf.procedures.size_mix import MOST_IN_TURN, SizeMix

WEIGHTED = st.lists(
    st.tuples(st.integers(64, 9216), st.integers(1, 60)), min_size=1, max_size=16, unique_by=lambda x: x[0]
)


@given(WEIGHTED)
def test_weights_are_kept_and_spread(pairs: list[tuple[int, int]]) -> None:
    """After any number of frames each size is less than two frames away from its share."""
    sizes, weights = zip(*pairs, strict=True)
    mix = SizeMix(sizes=sizes, weights=weights)
    together, period = sum(weights), len(mix.in_turn)
    assert {size: Fraction(count, period) for size, count in mix.shares.items()} == {
        size: Fraction(weight, together) for size, weight in pairs
    }
    for size, weight in pairs:
        seen = 0
        for frames, one in enumerate(mix.in_turn, 1):
            seen += one == size
            assert abs(seen - Fraction(frames * weight, together)) < 2


def test_the_usual_one() -> None:
    """7:4:1, whatever the weights' common factor."""
    mix = SizeMix(sizes=(64, 594, 1518), weights=(7, 4, 1))
    assert mix.in_turn == (64, 594, 64, 64, 594, 64, 1518, 64, 594, 64, 594, 64)
    written_out = SizeMix(genome="aXaaXagaXaXa", letters={"X": 594}, name="IMIX")
    assert (mix, hash(mix)) == (written_out, hash(written_out))
    assert mix != SizeMix(sizes=(594, 64, 1518), weights=(4, 7, 1))
    assert len(SizeMix(sizes=(84, 128), weights=(1000, 25)).in_turn) == 41
    assert SizeMix(sizes=(64, 594, 1518), weights=(700_000, 400_000, 100_000)).in_turn == mix.in_turn
    assert (str(mix), mix.what, mix.mean) == ("7x64+4x594+1x1518", "7x64+4x594+1x1518", 362)
    named = SizeMix(sizes=(64, 594, 1518), weights=(7, 4, 1), name="IMIX")
    assert (str(named), named.what) == ("IMIX", mix.what)


def test_a_genome_is_in_order() -> None:
    """RFC 6985 §4, §5: letters of RFC 2544's sizes, and of one's own."""
    assert SizeMix(genome="aabcdefga").in_turn == (64, 64, 128, 256, 512, 1024, 1280, 1518, 64)
    mix = SizeMix(genome="AAbz", letters={"A": 84, "z": 1500, "Q": 99})
    assert mix.in_turn == (84, 84, 128, 1500)
    assert (str(mix), mix.mean, mix.shares) == ("AAbz,A=84,z=1500", 449, {84: 2, 128: 1, 1500: 1})
    assert len({mix, SizeMix(genome="AAbz", letters={"A": 84, "z": 1500, "Q": 99})}) == 1


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({}, "sizes: missing: a list of sizes, or a genome"),
        ({"sizes": (84,)}, "weights: missing: 1 number, one for each size"),
        ({"sizes": (84, 128), "weights": (1,)}, "weights: [1] is not allowed: 2 numbers, one for each size"),
        ({"sizes": (84, 84), "weights": (1, 1)}, "sizes: [84, 84] is not allowed: each size once"),
        ({"sizes": (84, 128), "weights": (1023, 2)}, f"at most {MOST_IN_TURN} together in lowest terms, not 1025"),
        ({"sizes": (84,), "weights": (1,), "genome": "a"}, "sizes: [84] is not allowed: nothing beside genome"),
        ({"genome": "aax"}, 'genome: "x" is not allowed: a, b, c, d, e, f, g; others with their sizes in letters'),
        ({"genome": "a", "letters": {"a": 84}}, 'letters: "a" is not allowed: A to Z and h to z'),
        ({"genome": "a", "letters": {"AB": 84}}, 'letters: "AB" is not allowed: A to Z and h to z'),
        ({"sizes": (84,), "weights": (1,), "letters": {"A": 84}}, "nothing without genome"),
        ({"genome": "a" * 33}, "name: missing: a name, as the genome has 33 letters"),
        (
            {"genome": "ABCDEFGHIJKLMNOPQ", "letters": {chr(65 + i): 100 + i for i in range(17)}},
            "genome: 17 sizes is not allowed: at most 16",
        ),
    ],
)
def test_what_is_refused(keys: dict[str, object], said: str) -> None:
    with pytest.raises(ValidationError) as refused:
        SizeMix.model_validate(keys)
    assert said in refused.value.errors()[0]["msg"]
