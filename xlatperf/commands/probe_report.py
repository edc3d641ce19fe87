"""`xlatperf probe --report`: what an issue needs of this host and its versions, and nothing private."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from xlatperf.probe.observation import Observation

_PARAMETERS = (
    *("isolcpus", "nohz_full", "rcu_nocbs"),
    *("hugepages", "hugepagesz", "default_hugepagesz", "iommu", "intel_iommu"),
)
"""Of the kernel's command line; others may name hosts, disks and addresses."""
_COMMAND_LINE = "/proc/cmdline"
_MAC = re.compile(r"\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", re.IGNORECASE)
_MAY_BE_ADDRESS = re.compile(r"[0-9A-Fa-f:.]*[:.][0-9A-Fa-f:.]*[0-9A-Fa-f:]")


def report(
    host: Mapping[str, Any], software: Mapping[str, Any], release: str, found: Iterable[Observation]
) -> Iterator[str]:
    """Lines. `host`, `software`: as environment.json has them; `release`: of the distribution, in its words."""
    packages = ", ".join(f"{name} {version}" for name, version in software["packages"].items())
    yield f"xlatperf {software['xlatperf']}, Python {software['python']}; {packages}"
    yield f"{release}, Linux {host['kernel']}"
    machine = " (a virtual machine)" if host["hypervisor"] else ""
    yield f"{host['cpu_count']} x {host['cpu']}{machine}, {host['memory']}, clock {host['clock_source']}"
    for path, value in host["kernel_parameters"].items():
        if path != _COMMAND_LINE:
            yield f"{path} {value}"
        elif chosen := [word for word in value.split() if word.partition("=")[0] in _PARAMETERS]:
            yield f"{path} {' '.join(chosen)}"
    for one in found:
        yield f"{one.state:8} {one.subject}: {without_addresses(one.text)}"


def without_addresses(text: str) -> str:
    """Those of MAC, IPv4 and IPv6, with or without a length of prefix, become words. PCI addresses stay."""
    return _MAY_BE_ADDRESS.sub(_word_for, _MAC.sub("(a MAC address)", text))


def _word_for(found: re.Match[str]) -> str:
    text = found[0].rstrip(":.") if not found[0].endswith("::") else found[0]
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return found[0]
    return "(an address)" + found[0][len(text) :]
