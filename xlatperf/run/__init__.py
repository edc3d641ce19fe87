"""A campaign: the matrix of runs, the Tester, the journal, resuming, progress."""
