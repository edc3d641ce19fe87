"""How a virtual machine runs that isn't one of the processor's own."""

SOFTWARE_EMULATION = "software emulation (TCG)"
"""What a device's facts say of it: its rates and delays are the emulation's."""
