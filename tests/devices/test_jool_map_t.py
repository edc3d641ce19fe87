"""The commands that set Jool's MAP-T up, as its documentation has them; and what it can't have.

https://nicmx.github.io/Jool/en/run-mapt.html: domain 2001:db8:ce::/51, 192.0.2.0/24, 13 EA bits; the CE 11b.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from xlatperf.devices import registry
from xlatperf.devices.device import DeviceError
from xlatperf.devices.jool_instance import MAP_T, JoolInstance
from xlatperf.devices.jool_map_t import settings

DOMAIN: dict[str, Any] = {
    "ipv6": "2001:db8:ce::/51",
    "ipv4": "192.0.2.0/24",
    "ea_bits": 13,
    "psid_offset": 0,
    "ces": 1,
    "dmr": "64:ff9b::/96",
}
BR = """jool_mapt instance add xlatperf --netfilter --dmr 64:ff9b::/96
jool_mapt --instance xlatperf fmrt add 2001:db8:ce::/51 192.0.2.0/24 13 0"""
CE = """jool_mapt instance add xlatperf --netfilter --dmr 64:ff9b::/96
jool_mapt --instance xlatperf global update end-user-ipv6-prefix 2001:db8:ce:11b::/64
jool_mapt --instance xlatperf global update bmr 2001:db8:ce::/51 192.0.2.0/24 13 0
jool_mapt --instance xlatperf global update map-t-type CE"""


class Recorder:
    """A device that does nothing."""

    def __init__(self) -> None:
        self.commands: list[str] = []

    def run(self, command: Sequence[str], *_: Any, **__: Any) -> str:
        self.commands.append(" ".join(command))
        return ""

    @contextlib.contextmanager
    def network(self) -> Iterator[None]:
        yield None


def commands(technology: dict[str, Any]) -> list[str]:
    recorder = Recorder()
    device: Any = recorder
    JoolInstance(MAP_T, device, *settings(technology)).make()
    return recorder.commands


def test_border_relay() -> None:
    """RFC 7599 §5: a rule for each domain."""
    assert commands({"name": "map-t", "role": "br", "domains": [DOMAIN]}) == BR.splitlines()
    other = {**DOMAIN, "ipv6": "2001:db8:cf::/51", "ipv4": "198.51.100.0/24", "psid_offset": 6}
    two = commands({"name": "map-t", "role": "br", "domains": [DOMAIN, other]})
    assert two[:2] == BR.splitlines()
    assert two[2] == "jool_mapt --instance xlatperf fmrt add 2001:db8:cf::/51 198.51.100.0/24 13 6"


def test_ce() -> None:
    assert commands({"name": "map-t", "role": "ce", "domains": [{**DOMAIN, "ea": 0x11B}]}) == CE.splitlines()


def test_mesh() -> None:
    """RFC 7599 §5: all rules are for forwarding too; the first one is its own."""
    other = {**DOMAIN, "ipv6": "2001:db8:cf::/51", "ipv4": "198.51.100.0/24", "psid_offset": 6}
    mesh = commands({"name": "map-t", "role": "ce", "mesh": True, "domains": [{**DOMAIN, "ea": 0x11B}, other]})
    assert mesh[: len(CE.splitlines())] == CE.splitlines()
    assert mesh[len(CE.splitlines()) :] == [
        BR.splitlines()[1],
        "jool_mapt --instance xlatperf fmrt add 2001:db8:cf::/51 198.51.100.0/24 13 6",
    ]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"dmr": "2001:db8:1::/96"}, r"domains\[1\]\.dmr: .* is not allowed: 64:ff9b::/96: Jool has one for all rules"),
        (
            {"interface_identifier": "draft-03"},
            r"domains\[1\]\.interface_identifier: draft-03 is not allowed: rfc7597: Jool",
        ),
        ({"psid_length": 8, "ea_bits": 0}, r"domains\[1\]\.psid_length: 8 is not allowed: 0: Jool takes the PSID from"),
    ],
)
def test_what_it_cannot_have(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(DeviceError, match=rf"technology\.{said}"):
        settings({"name": "map-t", "role": "br", "domains": [DOMAIN, {**DOMAIN, **changed}]})


def test_only_on_another_host() -> None:
    """The virtual machine is made of Debian's package."""
    said = r"device\.host: nothing is not allowed: a host that has Jool with MAP-T \(4\.2\.0-rc1 and later\)"
    with pytest.raises(DeviceError, match=said):
        registry.BY_NAME["jool-map-t"](driver="jool-map-t").check((None, None), ())
    keys = {"host": "root@dut", "left_interface": "ens1f0", "right_interface": "ens1f1"}
    there: Any = registry.BY_NAME["jool-map-t"].model_validate({"driver": "jool-map-t", **keys})
    program = next(one for one in there.needed_there().programs if one.name == "jool_mapt")
    assert program.missing == (
        "jool_mapt isn't installed: it's in Jool 4.2.0-rc1 and later, of which Debian has no package"
    )
    there.check(("0000:01:00.0", "0000:01:00.1"), ())
