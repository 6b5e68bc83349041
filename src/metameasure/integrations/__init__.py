"""Doors to other libraries. Each is imported only when it is used."""

from metameasure.integrations.scikit_learn import scorer, scorers

__all__ = ["scorer", "scorers"]
