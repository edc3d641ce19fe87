"""Rules of IPv4 in IPv6: RFC 2473, and what RFC 6333, 7596 and 7597 say beyond it."""
