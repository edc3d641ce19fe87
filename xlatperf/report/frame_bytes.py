"""The bytes of a frame, layer by layer, with what differs from the expected frame marked."""

from __future__ import annotations

from dataclasses import dataclass

from xlatperf.report.markup import Content, Markup, element

_PER_LINE = 16
_LINES = {"IPv4": (12,), "IPv6": (8, 24)}
"""Where a new line begins: before the addresses."""
_LONGEST_DATA = 64
_ETHERTYPES = {0x0800: "IPv4", 0x86DD: "IPv6"}
_FIELDS: dict[str, tuple[tuple[int, int, str], ...]] = {
    "Ethernet": ((0, 6, "destination MAC"), (6, 12, "source MAC"), (12, 14, "EtherType")),
    "IPv4": (
        (0, 1, "version and header length"),
        (1, 2, "TOS"),
        (2, 4, "total length"),
        (4, 6, "identification"),
        (6, 8, "flags and fragment offset"),
        (8, 9, "TTL"),
        (9, 10, "protocol"),
        (10, 12, "header checksum"),
        (12, 16, "source address"),
        (16, 20, "destination address"),
    ),
    "IPv6": (
        (0, 4, "traffic class and flow label"),
        (4, 6, "payload length"),
        (6, 7, "next header"),
        (7, 8, "hop limit"),
        (8, 24, "source address"),
        (24, 40, "destination address"),
    ),
    "UDP": ((0, 2, "source port"), (2, 4, "destination port"), (4, 6, "length"), (6, 8, "checksum")),
    "Data": (),
}
_DF = 0x40
_FREE = frozenset({"source MAC", "identification", "header checksum"})
"""The DUT's own choice, or following from it: marked, but not as a fault."""


@dataclass(frozen=True)
class Layer:
    """One header, or the data."""

    name: str
    data: bytes


def layers(frame: bytes) -> list[Layer]:
    """Ethernet, IP, UDP, data. What isn't recognised is data."""
    found = [Layer("Ethernet", frame[:14])]
    rest = frame[14:]
    network = _ETHERTYPES.get(int.from_bytes(frame[12:14], "big"), "")
    udp = False
    if network == "IPv4" and len(rest) >= 20:
        length = max(20, 4 * (rest[0] & 15))
        udp = rest[9] == 17 and not int.from_bytes(rest[6:8], "big") & 0x1FFF
        found.append(Layer("IPv4", rest[:length]))
        rest = rest[length:]
    elif network == "IPv6" and len(rest) >= 40:
        udp = rest[6] == 17
        found.append(Layer("IPv6", rest[:40]))
        rest = rest[40:]
    if udp and len(rest) >= 8:
        found.append(Layer("UDP", rest[:8]))
        rest = rest[8:]
    if rest:
        found.append(Layer("Data", rest))
    return found


def _parse(text: str | None) -> bytes | None:
    try:
        return None if text is None else bytes.fromhex(text)
    except ValueError:
        return None


def compare(received_hex: str | None, expected_hex: str | None) -> Markup:
    """Both frames beside each other; hex that can't be read shows as it is."""
    received, expected = _parse(received_hex), _parse(expected_hex)
    if received is None and expected is None:
        return element("p", received_hex or "no bytes were kept", class_="muted")
    columns = [
        _column("Received", received, expected, received_hex),
        _column("Expected", expected, received, expected_hex),
    ]
    return element("div", columns, class_="frames")


def _column(title: str, frame: bytes | None, other: bytes | None, text: str | None) -> Markup:
    if frame is None:
        return element("div", element("h5", title), element("p", text or "not known", class_="muted"))
    partners = {layer.name: layer.data for layer in layers(other)} if other is not None else {}
    parts: list[Content] = [element("h5", title, element("span", f"{len(frame)} bytes without FCS", class_="unit"))]
    for layer in layers(frame):
        partner = partners.get(layer.name, b"" if other is not None else layer.data)
        parts.append(element("div", element("span", layer.name, class_="layer"), _dump(layer, partner), class_="dump"))
    return element("div", parts)


def _field(layer: str, offset: int) -> str:
    return next((name for first, end, name in _FIELDS[layer] if first <= offset < end), "")


def _dump(layer: Layer, partner: bytes) -> Markup:
    shown = layer.data[:_LONGEST_DATA] if layer.name == "Data" else layer.data
    lines: list[Content] = []
    breaks = _LINES.get(layer.name, range(_PER_LINE, len(shown), _PER_LINE))
    for offset, value in enumerate(shown):
        if offset:
            lines.append("\n" if offset in breaks else " ")
        lines.append(_byte(layer.name, offset, value, partner))
    hidden = layer.data[len(shown) :]
    if hidden:
        differs = hidden != partner[len(shown) :]
        lines.append(f"\n… {len(hidden):,} more bytes{', which differ' if differs else ''}")
    return element("pre", lines)


def _byte(layer: str, offset: int, value: int, partner: bytes) -> Content:
    if offset < len(partner) and partner[offset] == value:
        return f"{value:02x}"
    name = _field(layer, offset)
    only_df = (layer, offset) == ("IPv4", 6) and offset < len(partner) and partner[offset] ^ value == _DF
    return element("mark", f"{value:02x}", class_="free" if name in _FREE or only_df else None, title=name or None)
