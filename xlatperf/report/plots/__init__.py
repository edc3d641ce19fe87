"""The plots of the report, one file each."""
