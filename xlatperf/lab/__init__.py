"""A testbed in network namespaces on this host, and the processes that run in it."""
