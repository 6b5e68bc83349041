"""The commands, one module per command, named after it."""
