"""environment.json: all that may influence the results (R9693-6-2, R9693-6-4)."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import xlatperf
from xlatperf.engine.messages import OpenAnswer, Port
from xlatperf.run import environment


def test_host_and_software() -> None:
    host, software = environment.host(), environment.software()
    assert host["kernel"] == platform.release()
    assert host["cpu_count"] == os.cpu_count()
    model = next(line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name"))
    assert host["cpu"] == model.partition(":")[2].strip()
    assert host["memory"] in Path("/proc/meminfo").read_text()
    assert host["kernel_parameters"]["/proc/cmdline"] == Path("/proc/cmdline").read_text().strip()
    assert software["xlatperf"] == xlatperf.__version__
    assert software["packages"].keys() == set(environment.PACKAGES)


def test_nic_and_speed() -> None:
    """R9693-6-4."""
    port = Port(port="0000:01:00.0", driver="net_ice", mac="02:00:00:00:00:10", link_up=True, speed_mbps=100_000)
    opened = OpenAnswer(version="1", dpdk="24.11", left=port, right=port)
    left = environment.with_session(None, opened, {}, {})["engine"]["left"]
    assert (left["port"], left["driver"], left["speed_mbps"]) == ("0000:01:00.0", "net_ice", 100_000)


def test_a_later_session_says_what_changed() -> None:
    """A campaign on two kernels, or with another table size, must not look like one on one."""
    first = environment.with_session(None, None, {"kernel": "6.1.0", "nf_conntrack_max": "262144"}, environment.host())
    assert first["device"] == {"kernel": "6.1.0", "nf_conntrack_max": "262144"}
    assert [session["changed"] for session in first["sessions"]] == [[]]
    later = environment.with_session(first, None, {"kernel": "6.1.0", "nf_conntrack_max": "1000"}, environment.host())
    assert later["device"] == first["device"]
    assert later["sessions"][1]["changed"] == ["device.nf_conntrack_max: '262144' -> '1000'"]
