"""Selection ability: how well measures choose models from little data."""
