"""Several senders and receivers in each direction, on 1 to 4 workers: nothing is lost, nothing doubled, all of it verified."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.engine_system.engine_process import EngineProcess, Message, engine
from tests.engine_system.messages import PATIENT, configuration, trial
from tests.engine_system.test_trials import check_all_expected

SECONDS = {"duration_s": 0.2, "timeout_s": 0.2}


@contextmanager
def rings(queues: int, workers: int) -> Iterator[EngineProcess]:
    """Two ports of rings; the workers take turns on two CPUs."""
    with engine() as one:
        ports: Message = {"left": {"port": "net_ring0"}, "right": {"port": "net_ring1"}}
        one.do(
            "open", cores=[w % 2 for w in range(workers)], queues=queues, hugepages="never", memory_mb=512, idle="yield",
            link_timeout_s=0, **ports,
        )  # fmt: skip
        yield one


@pytest.mark.parametrize(("queues", "workers"), [*itertools.product((1, 2), (1, 2, 3, 4)), (3, 2), (4, 4), (4, 3)])
def test_nothing_is_lost_or_doubled(queues: int, workers: int) -> None:
    message = configuration(loopback=True)
    with rings(queues, workers) as one:
        for number, share in enumerate((1.0, 0.9, 0.0)):
            message["traffic"]["foreground"] = {"take": round(10 * share), "of": 10}
            one.do("configure", **message)
            answer = one.do("trial", **trial(number=number, rate_fps=100_003, **SECONDS))
            shares = {"foreground": share, "background": 1 - share}
            assert answer["forward"]["intended"] == 20_000
            check_all_expected(answer, 20_000, {name: part for name, part in shares.items() if part})
