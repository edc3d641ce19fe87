"""The engine as a guest of its host: precedence over other programs, memory, hugepages."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine_system.engine_process import EngineProcess, engine
from tests.engine_system.messages import configuration, open_ports
from tests.lab.root import needs_root

POOL = Path("/sys/kernel/mm/hugepages/hugepages-2048kB")
RESERVED = 256
RINGS = {"left": {"port": "net_ring0"}, "right": {"port": "net_ring1"}}


def threads(process: EngineProcess) -> list[tuple[int, int]]:
    """Nice value and scheduling policy of each thread (proc(5), stat: fields 19 and 41)."""
    found = []
    for task in Path(f"/proc/{process.process.pid}/task").iterdir():
        fields = (task / "stat").read_text().rpartition(")")[2].split()
        found.append((int(fields[19 - 3]), int(fields[41 - 3])))
    return found


def free_pages() -> int:
    return int((POOL / "free_hugepages").read_text())


@contextlib.contextmanager
def hugepages(count: int) -> Iterator[None]:
    """So many more are reserved meanwhile."""
    pages = POOL / "nr_hugepages"
    before = int(pages.read_text())
    pages.write_text(str(before + count))
    try:
        if int(pages.read_text()) < before + count:
            pytest.skip(f"the host has no room for {count} hugepages of 2 MB")
        yield
    finally:
        pages.write_text(str(before))


def test_nice_of_the_workers() -> None:
    """A higher value is always allowed. The scheduling isn't real-time: 0 is SCHED_OTHER."""
    with engine() as one:
        assert open_ports(one, "net_ring0", "net_ring1", nice=7)["nice"] == 7
        found = threads(one)
        assert [nice for nice, _ in found].count(7) == 1
        assert {policy for _, policy in found} == {0}


def test_nice_by_default() -> None:
    """-5, or what the process has where it may not set that; in any case what the answer says."""
    own = os.getpriority(os.PRIO_PROCESS, 0)
    with engine() as one:
        said = open_ports(one, "net_ring0", "net_ring1")["nice"]
        assert said in (-5, own)
        assert said in [nice for nice, _ in threads(one)]


@pytest.mark.alone
@needs_root
@pytest.mark.skipif(not POOL.exists(), reason="this kernel has no hugepages of 2 MB")
def test_hugepages_are_bounded_and_given_back() -> None:
    """As many as `memory_mb` says, also where more are free; none are left, also after SIGKILL."""
    with hugepages(RESERVED):
        free = free_pages()
        for kill in (False, True):
            with engine() as one:
                opened = one.do("open", cores=[1], hugepages="require", memory_mb=96, link_timeout_s=0, **RINGS)
                assert opened["hugepages"]
                one.do("configure", **configuration(loopback=True))
                assert 0 < free - free_pages() <= 96 // 2
                if kill:
                    one.process.kill()
                    one.process.wait(10)
            assert free_pages() == free


@pytest.mark.alone
@needs_root
@pytest.mark.skipif(not POOL.exists(), reason="this kernel has no hugepages of 2 MB")
def test_more_than_the_hugepages_allow() -> None:
    """`memory_mb` is all there is: what doesn't fit is refused, not taken."""
    with hugepages(RESERVED), engine() as one:
        asked = {"cores": [1], "hugepages": "require", "memory_mb": 64, "link_timeout_s": 0, "largest_frame": 9618}
        assert one.ask("open", **asked, **RINGS)["error"].startswith("open.memory_mb: not enough")
