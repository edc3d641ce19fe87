"""xlatperf: a Tester for gateways between IPv4 and IPv6 (RFC 8219, RFC 9693). Everything a person touches."""

__version__ = "0.2.0"
