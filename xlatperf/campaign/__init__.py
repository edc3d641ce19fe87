"""A campaign: the matrix of runs, the journal, resuming, progress, results."""
