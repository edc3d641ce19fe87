"""One file per benchmark of the standards: plain functions of measure(trial) -> outcome, without I/O."""
