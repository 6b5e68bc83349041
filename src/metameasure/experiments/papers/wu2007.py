"""Items of Wu, Flach and Ferri (2007), the scored AUC as a heuristic of model selection."""
