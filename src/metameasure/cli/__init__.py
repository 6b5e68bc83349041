"""The command line: ``metameasure``."""

import sys

INTERRUPTED = 130


def main() -> None:
    """Run the program; Ctrl-C ends it quietly, even while it is still being loaded."""
    try:
        from metameasure.cli import app  # noqa: PLC0415

        app.main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


__all__ = ["main"]
