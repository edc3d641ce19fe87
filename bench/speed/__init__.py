"""What a frame costs the Tester, beside what else there is."""
