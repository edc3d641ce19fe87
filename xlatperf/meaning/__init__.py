"""What a counter, a finding or a deviation means, in words."""
