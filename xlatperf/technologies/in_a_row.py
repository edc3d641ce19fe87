"""Two devices in a row as one (the dual DUT setup of RFC 8219 §4.2): what each does, and what both do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from xlatperf.keys.model import ConfigModel

SIDES = ("left", "right")
LEFT_NAMES = ("CE", "lwB4", "B4", "CLAT")
RIGHT_NAMES = ("BR", "lwAFTR", "AFTR", "PLAT")
"""What such devices are called."""
INNER = {"left": "right", "right": "left"}
"""By the side that a device is on: where it has the other one."""


@dataclass(frozen=True)
class InARow:
    """`names` of the devices, from left to right; `[technology]` of each alone, and of both seen from outside.

    `clients_between`: between the two, clients of the right one have IPv6 addresses of this prefix (RFC 6052 §2.2).
    """

    names: tuple[str, str]
    left: Mapping[str, Any]
    right: Mapping[str, Any]
    both: Mapping[str, Any]
    clients_between: str | None = None

    @property
    def alone(self) -> dict[str, Mapping[str, Any]]:
        """By the side that the device is on."""
        return {"left": self.left, "right": self.right}


def table_of(model: ConfigModel) -> dict[str, Any]:
    """As a bench file has it, without what isn't set."""
    return model.model_dump(mode="json", exclude_none=True)


def nat44(pool: Mapping[str, Any], *, translated_twice: bool) -> dict[str, Any]:
    """A customer's edge and its operator's gateway, seen from outside: clients share addresses (RFC 9693 §3.1)."""
    return {"name": "nat44", "pool": dict(pool), "double_translation": translated_twice}


def shared(address: str, psid_offset: int, psid_length: int, psid: int) -> dict[str, Any]:
    """The pool of an edge with NAPT44: its port set (RFC 7597 §5.1); port 0 is none (RFC 768)."""
    own = {"psid_offset": psid_offset, "psid_length": psid_length, "psid": psid} if psid_length else {}
    return {"first": address, "first_port": 1, **own}
