"""Noise: how it changes which model a measure prefers, and correlations with true values."""
