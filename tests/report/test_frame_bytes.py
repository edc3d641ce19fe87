"""Frames layer by layer, and what differs."""

from __future__ import annotations

import re

from tests.report.frame_bytes import EXPECTED_IPV4, SENT_IPV6, WRONG_IPV4
from xlatperf.report.frame_bytes import compare, layers


def marked(text: str) -> list[tuple[str, str]]:
    """Field and byte of each marked byte, in order; both columns."""
    return [(name, value) for name, value in re.findall(r'<mark[^>]*title="([^"]*)"[^>]*>(..)</mark>', text)]


def test_layers() -> None:
    assert [layer.name for layer in layers(bytes.fromhex(SENT_IPV6))] == ["Ethernet", "IPv6", "UDP", "Data"]
    assert [len(layer.data) for layer in layers(bytes.fromhex(EXPECTED_IPV4))] == [14, 20, 8, 18]
    assert [layer.name for layer in layers(bytes.fromhex(EXPECTED_IPV4)[:20])] == ["Ethernet", "Data"]


def test_fragment_has_no_udp_header() -> None:
    frame = bytearray(bytes.fromhex(EXPECTED_IPV4))
    frame[20:22] = b"\x00\x10"
    assert [layer.name for layer in layers(bytes(frame))] == ["Ethernet", "IPv4", "Data"]


def test_differing_fields() -> None:
    fields = [name for name, _ in marked(compare(WRONG_IPV4, EXPECTED_IPV4))]
    received = fields[: len(fields) // 2]
    assert received == [
        "source MAC",
        "identification",
        "identification",
        "header checksum",
        "header checksum",
        "destination address",
        "checksum",
    ]


def test_what_the_device_may_choose_is_not_marked_as_a_fault() -> None:
    """RFC 7915 §5.1 leaves the identification to the translator."""
    text = compare(WRONG_IPV4, EXPECTED_IPV4)
    assert re.findall(r'class="free" title="([^"]*)"', text).count("identification") == 4
    assert 'class="free" title="destination address"' not in text


def test_df_alone_is_not_a_fault() -> None:
    """RFC 7915 §5.1 and its predecessor differ in DF; the engine has a remark for it."""
    frame = bytearray(bytes.fromhex(EXPECTED_IPV4))
    frame[20] ^= 0x40
    assert 'class="free" title="flags and fragment offset"' in compare(frame.hex(), EXPECTED_IPV4)
    frame[20] ^= 0x20
    assert 'class="free"' not in compare(frame.hex(), EXPECTED_IPV4)


def test_equal_frames_have_no_marks() -> None:
    assert "<mark" not in compare(EXPECTED_IPV4, EXPECTED_IPV4)


def test_untranslated_frame_is_compared_layer_by_layer() -> None:
    """The UDP header is at another place, but it is the same layer."""
    fields = [name for name, _ in marked(compare(SENT_IPV6, EXPECTED_IPV4))]
    assert "source port" not in fields
    assert "hop limit" in fields
    assert "TTL" in fields


def test_unknown_expectation_and_broken_hex() -> None:
    assert "<mark" not in compare(EXPECTED_IPV4, None)
    assert "&lt;b&gt;" in compare("<b>", None)
    assert "no bytes were kept" in compare(None, None)


def test_long_data_is_cut_and_the_difference_is_told() -> None:
    long = EXPECTED_IPV4 + "00" * 200
    other = EXPECTED_IPV4 + "00" * 199 + "01"
    assert "154 more bytes, which differ" in compare(long, other)
    assert "154 more bytes</pre>" in compare(long, long)
