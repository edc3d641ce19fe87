"""Devices on a host of their own, which is reached over SSH."""
