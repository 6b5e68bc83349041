"""Simulated coverage of confidence intervals."""
