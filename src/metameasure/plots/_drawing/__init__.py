"""Shared parts of the displays: layout, legends, bands, operating points and styles."""
