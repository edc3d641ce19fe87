"""VPP (fd.io's Vector Packet Processor) as a device: told what to be by its command line."""
