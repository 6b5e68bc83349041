"""Items of Wu and Flach (2005), the scored AUC."""
