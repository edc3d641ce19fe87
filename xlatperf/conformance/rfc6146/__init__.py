"""Rules of RFC 6146, stateful NAT64, that single packets show."""
