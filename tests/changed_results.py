"""Committed results with some values replaced."""

from dataclasses import replace

from metameasure.experiments.reproduction import Reproduction


def changed(result, change):
    """A result whose values are replaced; None leaves one as it is."""
    rows = [replace(row, ours=_new(row, change)) for row in result.rows]
    return Reproduction(rows, meta=result.meta)


def _new(row, change):
    value = None if row.ours is None else change(row)
    return row.ours if value is None else value
