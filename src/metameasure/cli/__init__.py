"""The command line: ``metameasure``."""

from metameasure.cli.application import main

__all__ = ["main"]
