"""The sections of the report, one file each. `body(evidence)` makes one."""
