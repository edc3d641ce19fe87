"""What ports on network interfaces carry (docs/speed.md)."""
