"""The commands: they read arguments, call the rooms and print. One file per command."""
