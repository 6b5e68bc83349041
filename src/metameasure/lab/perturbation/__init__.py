"""Robustness: what noise does to the choices of measures."""
