"""What the engine gives up (SECURITY.md): programs for good, capabilities as soon as it doesn't need them."""

from __future__ import annotations

from pathlib import Path

from tests.engine_system.engine_process import EngineProcess, engine
from tests.engine_system.messages import open_ports
from tests.lab.root import needs_root

TO_CLOSE = {1, 2, 12, 13, 23}
"""DAC_OVERRIDE, DAC_READ_SEARCH, NET_ADMIN, NET_RAW and SYS_NICE (linux/capability.h)."""
TO_OPEN = TO_CLOSE | {0, 3, 14, 17, 21, 24, 38, 39}
"""CHOWN, FOWNER, IPC_LOCK, SYS_RAWIO, SYS_ADMIN, SYS_RESOURCE, PERFMON and BPF."""


def threads(process: EngineProcess) -> dict[str, dict[str, str]]:
    """What the kernel says of each: the main one is `main`, workers are `rte-worker-1` or so."""
    pid = process.process.pid
    found = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        lines = (line.partition(":\t") for line in (task / "status").read_text().splitlines())
        own = {name: value for name, _, value in lines}
        found["main" if task.name == str(pid) else own["Name"]] = own
    return found


def rights(thread: dict[str, str], which: str = "CapPrm") -> set[int]:
    mask = int(thread[which], 16)
    return {one for one in range(64) if mask >> one & 1}


def test_programs_are_forbidden_to_all_threads() -> None:
    with engine() as one:
        open_ports(one, "net_ring0", "net_ring1")
        found = threads(one)
    assert len(found) > 1
    for thread in found.values():
        assert (thread["NoNewPrivs"], thread["Seccomp"]) == ("1", "2")


@needs_root
def test_capabilities() -> None:
    with engine() as one:
        open_ports(one, "net_ring0", "net_ring1")
        found = threads(one)
    main, worker = found["main"], next(one for name, one in found.items() if "worker" in name)
    for which in ("CapPrm", "CapEff"):
        assert rights(worker, which) == set()
        assert rights(main, which) == TO_CLOSE
    for thread in found.values():
        assert rights(thread) <= TO_OPEN
        assert rights(thread, "CapInh") == set()
