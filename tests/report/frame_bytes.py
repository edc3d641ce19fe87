"""One frame as it is sent, as SIIT must translate it, and as a device might do it wrong."""

from __future__ import annotations

ETHERNET = "020000000002" + "020000000001"
SENT_IPV6 = (
    ETHERNET
    + "86dd"
    + "60000000001a110a"
    + "20010002000000000000000000000002"
    + "20010db8646400000000"
    + "0000c6130002"
    + "c02000070001a1b2"
    + "584c0a00110000000000aabb010203040506"
)
EXPECTED_IPV4 = (
    ETHERNET
    + "0800"
    + "4500002e000040000911b0a1"
    + "c6120002"
    + "c6130002"
    + "c0200007001a9f31"
    + "584c0a00110000000000aabb010203040506"
)
WRONG_IPV4 = (
    ETHERNET[:12]
    + "02000000000f"
    + "0800"
    + "4500002e3a1c40000911768f"
    + "c6120002"
    + "c6130003"
    + "c0200007001a9f30"
    + "584c0a00110000000000aabb010203040506"
)
