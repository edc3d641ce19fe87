"""What MAP-E and MAP-T have in common: domains with a mapping rule each. The engine does the arithmetic."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal, Self

from pydantic import model_validator

from xlatperf.keys.addresses import NetworkIPv4, NetworkIPv6
from xlatperf.keys.limits import MOST_SUBSCRIBERS
from xlatperf.keys.model import REQUIRED, ConfigModel, Truth, Whole, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.procedures.negative import NegativeTest
from xlatperf.technologies.mapping_negative import Refusal, RuleBits
from xlatperf.technologies.technology import AddressPlan, TechnologyModel

_USUAL_CES = 1000
MOST_DOMAINS = 4096
USUAL_RULE = {"ipv6": "2001:2:0:2000::/51", "ipv4": "198.18.0.0/24", "ea_bits": 13}
"""RFC 2544 App. C.2.2, RFC 5180 §5.2.1: 256 addresses that 32 CEs share each, beside links and background."""
DUT_CE = 0x254
"""As which the DUT is tested in the role of a CE: 198.18.0.18, PSID 20."""


class MapDomain(ConfigModel):
    """One MAP domain: a mapping rule (RFC 7597 §5, RFC 7599 §5: the same) and the CEs that are simulated."""

    ipv6: NetworkIPv6 = key(
        REQUIRED, "Rule IPv6 prefix", allowed="an IPv6 network such as 2001:db8::/40", source="RFC 7597 §5"
    )
    ipv4: NetworkIPv4 = key(
        REQUIRED, "Rule IPv4 prefix", allowed="an IPv4 network such as 192.0.2.0/24", source="RFC 7597 §5"
    )
    ea_bits: Whole = key(
        REQUIRED,
        "length of the EA bits: the IPv4 address's suffix and the PSID; fewer than the suffix: a prefix for each CE",
        ge=0,
        le=48,
        source="RFC 7597 §5.2",
    )
    psid_offset: Whole = key(
        6, "bits before the PSID in a port; 0: each CE has one range of ports", ge=0, le=15, source="RFC 7597 §5.1"
    )
    psid: Whole | None = key(
        None,
        "the PSID, where the EA bits have none",
        ge=0,
        le=65535,
        allowed="a whole number, 0 to 65535",
        source="RFC 7597 §5.2",
    )
    psid_length: Whole | None = key(
        None, "its bits", ge=1, le=16, allowed="a whole number, 1 to 16", source="RFC 7597 §5.2"
    )
    interface_identifier: Literal["rfc7597", "draft-03"] = key(
        "rfc7597",
        "of the CEs' IPv6 addresses: behind 16 zero bits the IPv4 address and the PSID, or as "
        "draft-ietf-softwire-map-03 had it, these between 8 zero bits each",
        source="RFC 7597 §6",
    )
    ces: Whole = key(
        1,
        "how many CEs are simulated, drawn from the rule without repetition; not set: 1000 or all, with ea 1; with "
        "mesh, the first domain's have other IPv4 addresses than the DUT",
        ge=1,
        le=MOST_SUBSCRIBERS,
        source="RFC 8219 §10.2",
    )
    ea: Whole | None = key(
        None,
        "only the CE with these EA bits, ces being 1; with role = ce, the DUT; with mesh, the first domain's is",
        ge=0,
        le=2**48 - 1,
        allowed="a whole number, 0 to 2^ea_bits - 1",
    )

    @property
    def most_ces(self) -> int:
        """As many as the rule has."""
        return 1 if self.ea is not None else min(MOST_SUBSCRIBERS, 2**self.ea_bits)

    @property
    def most_others(self) -> int:
        """As many as the rule has with another IPv4 address than the DUT's."""
        return min(MOST_SUBSCRIBERS, (1 << self.ea_bits) - (1 << self.bits.psid_in_ea))

    @property
    def bits(self) -> RuleBits:
        """Where the rule's bits are."""
        prefixes = (ipaddress.ip_network(self.ipv6).prefixlen, ipaddress.ip_network(self.ipv4).prefixlen)
        draft_03 = self.interface_identifier == "draft-03"
        return RuleBits(*prefixes, self.ea_bits, self.psid_offset, self.psid_length or 0, draft_03)


def domains_key() -> Any:
    """The key `domains`."""
    return key(
        REQUIRED,
        "the MAP domains",
        allowed="a list of tables with ipv6, ipv4, ea_bits, and br (map-e) or dmr (map-t)",
        min_length=1,
        max_length=MOST_DOMAINS,
    )


def of_domains(domains: Sequence[MapDomain], *keys: str) -> dict[str, str]:
    """These values of all domains, by their places in the bench file."""
    return {
        f"technology.domains[{index}].{key}": getattr(domain, key)
        for index, domain in enumerate(domains)
        for key in keys
    }


def check_others(domain: MapDomain) -> None:
    """Raises ValueError if the DUT, whose domain it is, can't reach another CE by the rule."""
    if domain.most_others == 0:
        why = "with mesh, some of the IPv4 address: no other CE of the domain has another one"
        refuse("domains[0].ea_bits", domain.ea_bits, why)


def _others(domain: Mapping[str, Any], most: int) -> int:
    """How many of a rule's CEs have another address than one of them: those of the other suffixes. At least 1."""
    length = str(domain.get("ipv4")).partition("/")[2]
    suffix = 32 - int(length) if length.isdecimal() else 0
    return max(1, most - max(1, most >> max(0, suffix)))


class Ruled:
    """Whatever has MAP domains: who is where follows from their rules."""

    beyond_rule: ClassVar[Mapping[str, str]]
    """What the default domain has besides the rule."""
    domains: tuple[MapDomain, ...]

    @property
    def way_out(self) -> Mapping[str, str]:
        """The border relays or DMRs."""
        return of_domains(self.domains, *self.beyond_rule)

    @property
    def mapped(self) -> Mapping[str, str]:
        """The addresses that subscribers share."""
        return of_domains(self.domains, "ipv4")

    @property
    def subscriber_prefixes(self) -> Mapping[str, str]:
        """The rules'."""
        return of_domains(self.domains, "ipv6")


class MapTechnology(Ruled, TechnologyModel):
    """The base; a subclass says what its domains have besides the rule."""

    role: Literal["br", "ce"] = key(
        "br",
        "what the DUT is: br, the border relay, CEs on the left; ce, a CE without NAPT44, its hosts on the left",
        source="RFC 8219 §4: single DUT",
    )
    hairpinning: Truth = key(
        False,
        "of a border relay: all frames go from one CE to another, and come back on the left",
        source="RFC 7597 §5, RFC 7599 §5: hub-and-spoke mode",
    )
    mesh: Truth = key(
        False,
        "of a CE: its frames go to other CEs on the right, not to the border relay, and the others' come from there; "
        "ea of the first domain is the DUT, and all rules are its Forwarding Mapping Rules",
        source="RFC 7597 §5.3, RFC 7599 §5: mesh mode",
    )
    domains: tuple[MapDomain, ...]

    @model_validator(mode="after")
    def _which_ce(self) -> MapTechnology:
        if self.hairpinning and self.role == "ce":
            refuse("hairpinning", True, "false with role = ce")
        if self.hairpinning and self.subscribers == 1:
            refuse("hairpinning", True, "false with one CE")
        if self.mesh and self.role == "br":
            refuse("mesh", True, "false with role = br")
        for index, domain in enumerate(self.domains):
            is_dut = self.role == "ce" and not (self.mesh and index > 0)
            if is_dut and domain.ea is None:
                raise ValueError(f"domains[{index}].ea: missing: with role = ce, the EA bits of the CE that the DUT is")
            if self.mesh and is_dut:
                self._check_others(domain)
                continue
            if domain.ea is not None and domain.ces != 1:
                refuse(f"domains[{index}].ces", domain.ces, "1 with ea")
        return self

    def _check_others(self, domain: MapDomain) -> None:
        """Of the DUT's domain."""
        check_others(domain)
        if domain.ces > domain.most_others:
            refuse("domains[0].ces", domain.ces, f"1 to {domain.most_others}, with other IPv4 addresses than the DUT's")

    def _most_ces(self, index: int) -> int:
        domain = self.domains[index]
        return domain.most_others if self.mesh and index == 0 else domain.most_ces

    @property
    def subscribers(self) -> int:
        """CEs."""
        return sum(domain.ces for domain in self.domains)

    @property
    def possible_subscribers(self) -> range | None:
        """One CE of each domain, up to all that the rules have; a CE as the DUT is alone, or has others around it."""
        if self.role == "ce" and not self.mesh:
            return None
        least = max(2 if self.hairpinning else 1, len(self.domains))
        return range(least, min(MOST_SUBSCRIBERS, sum(map(self._most_ces, range(len(self.domains))))) + 1)

    def with_subscribers(self, count: int) -> Self:
        """So many CEs in all, as evenly over the domains as their rules allow."""
        shares: dict[int, int] = {}
        smallest_first = sorted(range(len(self.domains)), key=self._most_ces)
        for done, index in enumerate(smallest_first):
            fair = (count - sum(shares.values())) // (len(self.domains) - done)
            shares[index] = min(fair, self._most_ces(index))
        domains = (domain.model_copy(update={"ces": shares[index]}) for index, domain in enumerate(self.domains))
        return self.model_copy(update={"domains": tuple(domains)})

    def part(self, part: int) -> Self:
        """With one domain."""
        return self.model_copy(update={"domains": (self.domains[part],)})

    def negative_tests(self) -> Sequence[NegativeTest]:
        """Of each domain whose rule is of another shape than those before it; in a mesh, of the DUT's alone."""
        shapes: dict[RuleBits, int] = {}
        for index, domain in enumerate(self.domains[:1] if self.mesh else self.domains):
            shapes.setdefault(domain.bits, index)
        named = len(shapes) > 1
        return [
            (replace(one, direction="forward") if self.hairpinning else one).test(
                index, f"domains[{index}]" if named else ""
            )
            for bits, index in shapes.items()
            for one in self.refusals(index, bits)
        ]

    def refusals(self, index: int, bits: RuleBits) -> tuple[Refusal, ...]:
        """What frames of one domain must not be."""
        raise NotImplementedError

    @classmethod
    def in_words(cls, table: Mapping[str, Any]) -> str:
        """Says where frames go, if not to the Internet."""
        if table.get("mesh") is True:
            return f"{cls.title}, from a CE to others and back"
        return f"{cls.title}, from one CE to another" if table.get("hairpinning") is True else cls.title

    @property
    def hairpins(self) -> bool:
        """From one CE to another."""
        return self.hairpinning

    @classmethod
    def families_of(cls, table: Mapping[str, Any]) -> tuple[int, int]:
        """IPv6 is between CEs and border relay."""
        return (4, 6) if table.get("role") == "ce" else (6, 4)

    @classmethod
    def plan(cls, table: Mapping[str, Any]) -> AddressPlan:
        """Hosts outside the domain, named by their IPv4 addresses."""
        return AddressPlan("ipv6", {"right": "198.19.0.0/24"})

    @classmethod
    def fill(cls, table: dict[str, Any]) -> None:
        """One domain in the benchmarking ranges; and how many CEs."""
        is_ce, mesh = table.get("role") == "ce", table.get("mesh") is True
        usual = {**USUAL_RULE, **({"ea": DUT_CE} if is_ce else {}), **cls.beyond_rule}
        domains = table.setdefault("domains", [usual])
        for index, domain in enumerate(domains if isinstance(domains, list) else ()):
            if isinstance(domain, dict):
                bits = domain.get("ea_bits")
                most = 2**bits if isinstance(bits, int) and 0 <= bits <= 48 else 1
                of_dut = mesh and index == 0
                one = (is_ce and not mesh) or ("ea" in domain and not of_dut)
                domain.setdefault("ces", 1 if one else min(_USUAL_CES, _others(domain, most) if of_dut else most))

    @property
    def hosts(self) -> Mapping[str, int]:
        """The others are CEs, or behind the CE."""
        return {"right": 4}

    @property
    def inside(self) -> Mapping[str, str]:
        """The rules' addresses are the CEs'; of IPv6, where that is on the left."""
        return of_domains(self.domains, *(("ipv4", "ipv6") if self.role == "br" else ("ipv4",)))

    @property
    def instead_of_hosts(self) -> Mapping[str, str]:
        """Who is left is said by the rules."""
        return {"left": "technology.domains"}
