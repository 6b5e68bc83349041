"""Model selection: how well measures choose models from small validation sets."""
