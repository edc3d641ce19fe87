"""The translation prefix that a bench file has by default (RFC 8219 §3, RFC 5180 §8)."""

from __future__ import annotations

import ipaddress

from xlatperf.devices.between import RIGHT_PREFIX
from xlatperf.technologies.translation_prefix import DEFAULT_PREFIX

BENCHMARKING = ipaddress.IPv6Network("2001:2::/48")


def test_defaults_are_benchmarking_space() -> None:
    """2001:2::/48, not the documentation's 2001:db8::/32."""
    for prefix in (ipaddress.IPv6Network(DEFAULT_PREFIX), RIGHT_PREFIX):
        assert prefix.subnet_of(BENCHMARKING)
