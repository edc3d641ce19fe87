"""What engines at full rate leave to the other programs of their host."""
