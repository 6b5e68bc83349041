"""Bands around curves, pointwise and simultaneous."""
