"""Benchmarks of speed, memory, accuracy and coverage."""
