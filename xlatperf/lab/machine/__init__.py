"""A virtual machine with a kernel of its own, for devices that need more than this host's kernel should do."""
