"""What simulated subscribers cost the Tester: cycles per frame, memory, time to begin, beside SIIT, in loopback."""
