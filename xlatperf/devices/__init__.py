"""Drivers of DUTs: prepare, clear state, restart, cores, CPU use, remove."""
