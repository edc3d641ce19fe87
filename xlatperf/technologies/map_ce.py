"""What MAP-E and MAP-T CEs with NAPT44 have in common: hosts share one CE's address and ports (RFC 9693 tests that)."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ValidationError, model_validator

from xlatperf.keys.model import REQUIRED, Truth, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.keys.port_set import port_set
from xlatperf.procedures.negative import NegativeTest
from xlatperf.technologies.in_a_row import InARow, nat44, shared, table_of
from xlatperf.technologies.mapping_negative import Refusal, RuleBits
from xlatperf.technologies.mapping_rule import DUT_CE, USUAL_RULE, MapDomain, Ruled, check_others, of_domains
from xlatperf.technologies.stateful import EdgeTechnology
from xlatperf.technologies.technology import AddressPlan

_USUAL_SERVERS = 100
"""In a mesh: each behind another CE."""


def domain_key(beyond_rule: str) -> Any:
    """The key `domains` of a CE; `beyond_rule`: what its domain has besides the rule."""
    return key(
        REQUIRED,
        "the CE's MAP domain; its ports and IPv4 address, which hosts are translated to, follow from ea",
        allowed=f"a list of one table with ipv6, ipv4, ea_bits, ea and {beyond_rule}",
        min_length=1,
        max_length=1,
        source="RFC 7597 §5, RFC 7599 §5",
    )


class MapCe(Ruled, EdgeTechnology):
    """The base; a subclass says what its domain has besides the rule."""

    mesh: Truth = key(
        False,
        "its frames go to other CEs on the right, not to the border relay, and come from there: the addresses of "
        "traffic.connections.servers are in the rule, which CE has one follows from the port; the rule is the DUT's "
        "Forwarding Mapping Rule",
        source="RFC 7597 §5.3, RFC 7599 §5: mesh mode",
    )
    domains: tuple[MapDomain, ...]

    @model_validator(mode="after")
    def _which_ce(self) -> MapCe:
        for domain in self.domains:
            if domain.ea is None:
                raise ValueError("domains[0].ea: missing: the EA bits of the CE that the DUT is")
            if domain.ces != 1:
                refuse("domains[0].ces", domain.ces, "1 with ea")
            if domain.bits.host:
                refuse(
                    "domains[0].ea_bits",
                    domain.ea_bits,
                    "with ipv4 at least 32 bits: a CE with a prefix needs no NAPT44",
                )
            if self.mesh:
                check_others(domain)
        return self

    @classmethod
    def in_words(cls, table: Mapping[str, Any]) -> str:
        """Says where frames go, if not to the Internet."""
        return f"{cls.title}, to other CEs and back" if table.get("mesh") is True else cls.title

    @classmethod
    def plan(cls, table: Mapping[str, Any]) -> AddressPlan:
        """In a mesh servers have IPv4 addresses beside the DUT's, and ports that CEs have."""
        plan = super().plan(table)
        try:
            own = cls.model_validate(table)
        except ValidationError:
            return plan
        if not own.mesh:
            return plan
        dut, rule = ipaddress.IPv4Address(own.shared_address), ipaddress.IPv4Network(own.domains[0].ipv4)
        below, above = int(dut) - int(rule[0]), int(rule[-1]) - int(dut)
        count = min(_USUAL_SERVERS, max(below, above))
        first = dut + 1 if above >= count else dut - count
        return replace(plan, server=str(first), servers=count, server_ports=own.ports_of_others)

    @classmethod
    def fill(cls, table: dict[str, Any]) -> None:
        """One CE in the benchmarking ranges."""
        table.setdefault("domains", [{**USUAL_RULE, "ea": DUT_CE, **cls.beyond_rule}])

    @property
    def shared_address(self) -> str:
        """The CE's IPv4 address: the rule's prefix, and the EA bits but for the PSID (RFC 7597 §5.2)."""
        domain = self.domains[0]
        first = ipaddress.IPv4Network(domain.ipv4).network_address
        return str(first + ((domain.ea or 0) >> domain.bits.psid_in_ea))

    def in_a_row(self) -> InARow | None:
        """With the border relay of its domain, for which it is the only CE (RFC 7597 §5, RFC 7599 §5)."""
        if self.mesh:
            refuse("mesh", self.mesh, "false with two devices in a row: the right one is the border relay")
        domain = self.domains[0]
        bits = domain.bits
        psid = (domain.ea or 0) & ((1 << bits.psid_in_ea) - 1) if domain.psid is None else domain.psid
        return InARow(
            ("CE", "BR"),
            left=table_of(self),
            right={"name": self.name.removesuffix("-ce"), "domains": [table_of(domain)]},
            both=nat44(
                shared(self.shared_address, bits.psid_offset if bits.psid else 0, bits.psid, psid),
                translated_twice=self.remakes_ipv4,
            ),
        )

    @property
    def pool_size(self) -> int:
        """The CE's ports."""
        return self.domains[0].bits.ports

    @property
    def ports_of_others(self) -> tuple[range, ...]:
        """In a mesh, what CEs with other addresses than the DUT's have (RFC 7597 §5.1); port 0 is none (RFC 768)."""
        domain = self.domains[0]
        bits = domain.bits
        if domain.psid is None:  # of any PSID
            nobodys = bits.psid and bits.psid_offset
            return (range(1 << (16 - bits.psid_offset) if nobodys else 1, 65536),)
        own = port_set(bits.psid_offset, bits.psid, domain.psid)
        return tuple(ports for one in own if (ports := range(max(1, one.start), one.stop)))

    @property
    def pool_in_words(self) -> str:
        """By the rule."""
        return "ports of the CE"

    @property
    def inside(self) -> Mapping[str, str]:
        """The rule's addresses are the CEs', of which others are on the right in a mesh."""
        return {} if self.mesh else of_domains(self.domains, "ipv4")

    def negative_tests(self) -> Sequence[NegativeTest]:
        """Of what comes from the right: what goes there is the NAPT44's own."""
        return [one.test(None) for one in self.refusals(self.domains[0].bits)]

    def refusals(self, bits: RuleBits) -> tuple[Refusal, ...]:
        """What frames to the CE must not be."""
        raise NotImplementedError
