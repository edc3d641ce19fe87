"""environment.json: what may influence the results, and when the campaign was started."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import xlatperf
from xlatperf.engine.client import Engine
from xlatperf.engine.messages import OpenAnswer
from xlatperf.run.engines import EngineElsewhere

PACKAGES = ("numpy", "plotly", "pydantic", "pyroute2", "rich", "typer")
KERNEL_PARAMETERS = (
    "/proc/cmdline",
    "/proc/sys/net/core/rmem_max",
    "/proc/sys/net/core/wmem_max",
    "/proc/sys/net/core/netdev_max_backlog",
    "/proc/sys/net/core/netdev_budget",
    "/proc/sys/net/ipv4/ip_forward",
    "/proc/sys/net/ipv6/conf/all/forwarding",
    "/proc/sys/kernel/sched_rt_runtime_us",
    "/sys/devices/system/cpu/smt/active",
    "/sys/devices/system/cpu/isolated",
    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
    "/sys/kernel/mm/transparent_hugepage/enabled",
)


_FACTS = (
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/clocksource/clocksource0/current_clocksource",
)


def _read(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None


def _after_colon(text: str | None, name: str) -> str | None:
    """Value of the first `name : value` line."""
    for line in (text or "").splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return None


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def host() -> dict[str, Any]:
    """Facts of this host."""
    return {
        "name": platform.node(),
        "system": platform.platform(),
        "kernel": platform.release(),
        **_facts(_read, platform.machine(), os.cpu_count()),
    }


def host_of(engine: Engine) -> dict[str, Any]:
    """Facts of the host that the engine is on; of another one also where it's controlled from. Raises DeviceError."""
    if not isinstance(engine, EngineElsewhere):
        return host()
    there = engine.host
    kernel, machine = there.ask(("uname", "-rm")).split()
    found = there.files((*_FACTS, *KERNEL_PARAMETERS))
    return {
        "name": there.ask(("uname", "-n")),
        "system": there.ask(("uname", "-srvmo")),
        "kernel": kernel,
        **_facts(found.get, machine, int(there.ask(("nproc", "--all")))),
        "controlled_from": platform.node(),
    }


def _facts(read: Callable[[str], str | None], machine: str, cores: int | None) -> dict[str, Any]:
    cpu, memory, clock = (read(path) for path in _FACTS)
    return {
        "cpu": _after_colon(cpu, "model name") or machine,
        "cpu_count": cores,
        "hypervisor": "hypervisor" in (_after_colon(cpu, "flags") or "").split(),
        "memory": _after_colon(memory, "MemTotal"),
        "hugepages_free": _after_colon(memory, "HugePages_Free"),
        "clock_source": clock,
        "kernel_parameters": {path: value for path in KERNEL_PARAMETERS if (value := read(path)) is not None},
    }


def software() -> dict[str, Any]:
    """Versions of Python, of this program and of its packages."""
    return {
        "xlatperf": xlatperf.__version__,
        "python": sys.version.split()[0],
        "packages": {name: version for name in PACKAGES if (version := _version(name)) is not None},
    }


def with_session(
    known: Mapping[str, Any] | None, opened: OpenAnswer | None, device: Mapping[str, str], of_host: Mapping[str, Any]
) -> dict[str, Any]:
    """environment.json after one more start: everything at the first one, later only one more entry in `sessions`.

    A later session notes what has changed since: a campaign on two kernels should not look like one on one.
    """
    now = datetime.now(UTC).isoformat(timespec="seconds")
    facts: dict[str, Any] = {
        "host": dict(of_host),
        "software": software(),
        "engine": opened.model_dump(mode="json") if opened is not None else None,
        "device": dict(device),
    }
    if known is None:
        return {**facts, "sessions": [{"started": now, "changed": []}]}
    groups = ("host", "software", "device")
    changed = changes({name: known.get(name) for name in groups}, {name: facts[name] for name in groups})
    return {**known, "sessions": [*known.get("sessions", []), {"started": now, "changed": changed}]}


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What is different, one line each: `host.kernel: '6.1.0' -> '6.12.1'`."""
    old, new = flat(before), flat(now)
    names = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    return [f"{name}: {old.get(name)!r} -> {new.get(name)!r}" for name in names if name != "host.hugepages_free"]


def flat(nested: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """`{"host": {"kernel": "6.1.0"}}` as `{"host.kernel": "6.1.0"}`."""
    found: dict[str, Any] = {}
    for name, value in nested.items():
        found |= flat(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {f"{prefix}{name}": value}
    return found
