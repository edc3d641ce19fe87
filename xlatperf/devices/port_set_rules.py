"""NAT of a customer's router that has only some ports of its public address (RFC 7597 §5.1, RFC 7596 §5.1). Pure."""

from __future__ import annotations

from xlatperf.devices.shared_address import SharedAddress


def port_set_rules(shared: SharedAddress, outside: str) -> str:
    """nftables' (nft(8)): source NAT into a set of ports, whose ranges take turns; what nobody asked for is dropped.

    `outside`: the interface to the provider. A packet from there is for its connection alone: what belongs to none
    would be routed back there.
    """
    takes = f"ip protocol {{ tcp, udp, icmp }} snat to {shared.address}"
    chains = "".join(
        f"    chain ports{number} {{\n        {takes}:{one.start}-{one.stop - 1}\n    }}\n"
        for number, one in enumerate(shared.ports)
    )
    count = len(shared.ports)
    turns = ", ".join(f"{number} : jump ports{number}" for number in range(count))
    which = f"numgen inc mod {count} vmap {{ {turns} }}" if count > 1 else "jump ports0"
    return f"""table ip xlatperf {{
{chains}    chain unknown {{
        type filter hook prerouting priority mangle;
        iifname "{outside}" ct state new drop
    }}
    chain translate {{
        type nat hook postrouting priority srcnat;
        oifname "{outside}" {which}
    }}
}}
"""
