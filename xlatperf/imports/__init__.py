"""Bench files from the configurations of other programs: a file for each format; each line says where it is from."""
