"""The Tester alone, for hours."""
