"""What the displays share: axes, lines, labels, bands and styles."""
