"""Rules of RFC 7915, the IP/ICMP translation algorithm, that single packets show."""
