"""What connections cost the Tester: memory of each, time to begin, rates of both phases (RFC 9693 §4), in loopback."""
