"""What a DUT can do with frames, one file per technology: its bench table, address plan, names and what it needs."""
