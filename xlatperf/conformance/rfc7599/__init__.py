"""RFC 7599: MAP-T, where subscribers share IPv4 addresses."""
