"""One file for each thing that is known and measured."""
