"""What a trial of another direction or size says about one that lost all."""

from __future__ import annotations

from typing import Any

import pytest

from tests.meaning.test_explain import answer
from xlatperf.engine.direction_answer import FrameSizes
from xlatperf.engine.message import TrafficClass
from xlatperf.engine.trial_answer import TrialAnswer
from xlatperf.keys.does import Does
from xlatperf.meaning.about import About
from xlatperf.meaning.beside import other_size
from xlatperf.meaning.explain import explain

SMALL, LARGE = FrameSizes(sent=84, received=64), FrameSizes(sent=1518, received=1498)


def test_sizes() -> None:
    """Smaller frames that came show an MTU, larger ones a limit below."""
    assert other_size(LARGE, SMALL).startswith(
        "frames of 84 > 64 bytes all came, so it is the size: an MTU of the DUT,"
    )
    assert other_size(SMALL, LARGE) == (
        "frames of 1518 > 1498 bytes all came, so it is the size: the DUT, or what stands between it and the Tester, "
        "drops frames with packets as short as 66 > 46 bytes"
    )


def _without(of: TrafficClass) -> TrialAnswer:
    """500 frames of each class, of which one is lost."""
    document = answer({"sent": 500, "expected": 500}).dump()
    whole: dict[str, Any] = document["forward"]["foreground"]
    document["forward"] |= {"foreground": dict(whole), "background": dict(whole)}
    document["forward"][of] |= {"expected": 0, "lost": 500}
    return TrialAnswer.model_validate(document)


@pytest.mark.parametrize(
    ("of", "does", "said"),
    [
        (
            "background",
            "translates",
            "all reverse frames came, and from left to right all but native IPv6: does the DUT have a route to "
            "traffic.right.background_hosts (`xlatperf show` names them), does a filter drop them?",
        ),
        (
            "foreground",
            "tunnels",
            "all reverse frames came, and from left to right all but those that aren't native IPv6: does the DUT have "
            "a route to the hosts that these go to on the right (`xlatperf show` names them), does its transition "
            "technology take them this way too, does a filter drop them?",
        ),
    ],
)
def test_a_class_that_is_lost_in_one_direction_only(of: TrafficClass, does: Does, said: str) -> None:
    """The other class took that way, and these the other one."""
    assert explain(_without(of), about=About(does, came="reverse")) == [f"forward {of}: all 500 frames lost: {said}"]
    assert "none" in explain(_without(of), about=About(does))[0], "of that class, wherever they go"


def test_the_size_is_told_first() -> None:
    """A tunnel may be too narrow for the foreground alone."""
    lines = explain(_without("foreground"), about=About("tunnels", by_size="it is the size", came="reverse"))
    assert lines == ["forward foreground: all 500 frames lost: it is the size."]
