"""The items of each paper."""
