"""Tables of how performance follows numbers of connections, subscribers, networks and cores (RFC 9693 §5, §6)."""
