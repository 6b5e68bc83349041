"""How often intervals cover the truth, by simulation."""
