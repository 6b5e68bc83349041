"""Advice: which measure should choose the model."""
