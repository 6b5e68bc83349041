"""Consistency and discriminancy: measures compared on the same lists or models."""
