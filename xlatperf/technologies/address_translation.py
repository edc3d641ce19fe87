"""Which IPv6 address stands for an IPv4 address at a stateless translator (RFC 7915 §6): RFC 7757, else RFC 6052."""

from __future__ import annotations

from typing import Any, Self

from pydantic import model_validator

from xlatperf.keys.addresses import NetworkIPv4, NetworkIPv6
from xlatperf.keys.model import REQUIRED, ConfigModel, key
from xlatperf.keys.not_allowed import refuse
from xlatperf.technologies.translation_prefix import PREFIX_ALLOWED, PREFIX_SOURCE, TranslationPrefix


class Eam(ConfigModel):
    """One explicit address mapping (RFC 7757 §3.2): the IPv4 prefix and the IPv6 prefix in its place."""

    ipv4: NetworkIPv4 = key(REQUIRED, "IPv4 prefix", allowed="an IPv4 network such as 198.18.0.0/16")
    ipv6: NetworkIPv6 = key(
        REQUIRED,
        "IPv6 prefix that replaces it",
        source="RFC 7757 §3.2",
        allowed="an IPv6 network such as 2001:2::/112, its suffix at least as long as the IPv4 one",
    )


def prefix_key(default: str | None) -> Any:
    """The key `prefix`."""
    return key(
        default,
        "IPv6 prefix of IPv4 addresses that no mapping covers",
        allowed=PREFIX_ALLOWED,
        source=PREFIX_SOURCE,
    )


class AddressTranslation(ConfigModel):
    """The keys of one translator."""

    prefix: TranslationPrefix | None = prefix_key(None)
    eam: tuple[Eam, ...] = key(
        (),
        "explicit address mappings: the IPv6 addresses of the hosts on the IPv6 side",
        allowed="a list of tables with ipv4 and ipv6",
        source="RFC 7757 §3.2",
    )

    @model_validator(mode="after")
    def _no_contradiction(self) -> Self:
        """RFC 7757 §3.1: one prefix has one partner; prefixes that overlap are told apart by their lengths."""
        for index, row in enumerate(self.eam):
            for before, other in enumerate(self.eam[:index]):
                for name in ("ipv4", "ipv6"):
                    if getattr(row, name) == getattr(other, name):
                        refuse(f"eam[{index}].{name}", getattr(row, name), f"a network that eam[{before}] doesn't have")
        return self
