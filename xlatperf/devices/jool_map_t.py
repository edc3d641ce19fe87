"""Jool's MAP-T (RFC 7599): a border relay, or a CE without NAPT44, in the kernel of another host.

The commands are those of Jool's documentation (https://nicmx.github.io/Jool/en/run-mapt.html). MAP-T is in the release
candidates of Jool 4.2.0; 4.1, which Debian has and the virtual machine is made of, doesn't know it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from ipaddress import IPv6Network
from typing import Any, ClassVar, Literal

from xlatperf.devices.device import DeviceError, Making, Plan, Ports
from xlatperf.devices.driver import driver_key
from xlatperf.devices.jool_instance import MAP_T, JoolInstance, needed_for
from xlatperf.devices.remote_dut import RemoteDriver
from xlatperf.devices.shared_address import SharedAddress
from xlatperf.keys.needs import Need
from xlatperf.keys.not_allowed import not_allowed
from xlatperf.lab.remote.testbed import Needed

_ALLOWED = "a host that has Jool with MAP-T (4.2.0-rc1 and later): the one of Debian's packages (4.1) has none"


class JoolMapT(RemoteDriver):
    """An instance of Jool that sees all packets (netfilter). It decrements the hop limit once."""

    label = "Jool MAP-T"
    version_fact = "jool"
    what = "Jool's MAP-T on another host, as border relay or as CE without NAPT44"
    technology: ClassVar[Mapping[str, Any]] = {"name": "map-t"}
    decrements = (1, 1)

    made_here = False

    driver: Literal["jool-map-t"] = driver_key()

    def check(self, ports: Ports, needs: Collection[Need]) -> None:
        """Only on another host."""
        self._there()
        super().check(ports, needs)

    def needed_there(self) -> Needed:
        """Also Jool, with MAP-T."""
        return needed_for(MAP_T, "it's in Jool 4.2.0-rc1 and later, of which Debian has no package")

    def set_up(self, plan: Plan) -> Making:
        """A router between the two links, in which Jool translates what its rules match."""
        host = self._there()
        dmr, told = settings(plan.technology)
        bed = self.remote_bed(host)
        instance = JoolInstance(MAP_T, bed.dut, dmr, told)
        return self.on(bed, plan, instance, translates=True)

    def _there(self) -> str:
        if self.host is None:
            raise DeviceError(not_allowed("device.host", None, _ALLOWED))
        return self.host


def settings(technology: Mapping[str, Any]) -> tuple[str, Sequence[Sequence[str]]]:
    """The default mapping rule, and the words of commands that follow. Raises DeviceError for what Jool can't have."""
    domains: Sequence[Mapping[str, Any]] = technology["domains"]
    dmr = str(domains[0]["dmr"])
    for index, domain in enumerate(domains):
        place = f"technology.domains[{index}]"
        if domain["dmr"] != dmr:
            allowed = f"{dmr}: Jool has one for all rules"
            raise DeviceError(not_allowed(f"{place}.dmr", domain["dmr"], allowed))
        identifier = domain.get("interface_identifier", "rfc7597")
        if identifier != "rfc7597":
            raise DeviceError(not_allowed(f"{place}.interface_identifier", identifier, "rfc7597: Jool knows no other"))
        if domain.get("psid_length"):
            allowed = "0: Jool takes the PSID from the EA bits"
            raise DeviceError(not_allowed(f"{place}.psid_length", domain["psid_length"], allowed))
    if technology["role"] == "br":
        return dmr, [("fmrt", "add", *_rule(domain)) for domain in domains]
    domain = domains[0]
    own = (
        ("end-user-ipv6-prefix", str(_end_user_prefix(domain))),
        ("bmr", *_rule(domain)),
        ("map-t-type", "CE"),
    )
    others = [("fmrt", "add", *_rule(one)) for one in domains] if technology.get("mesh") else []
    return dmr, [*(("global", "update", *words) for words in own), *others]


def _rule(domain: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """IPv6 prefix, IPv4 prefix, EA bits, PSID offset."""
    return domain["ipv6"], domain["ipv4"], str(domain["ea_bits"]), str(domain["psid_offset"])


def _end_user_prefix(domain: Mapping[str, Any]) -> IPv6Network:
    """RFC 7597 §5.2: the Rule IPv6 prefix with the EA bits behind it; the CE's address is in it."""
    length = IPv6Network(domain["ipv6"]).prefixlen + domain["ea_bits"]
    return IPv6Network((SharedAddress.of_ce(domain).tunnel, length), strict=False)
