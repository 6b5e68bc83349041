"""The commands: one module per command, named after it; those of ``plot`` in two modules."""
