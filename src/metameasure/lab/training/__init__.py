"""Studies that train: estimators are fitted on parts of the data, and measures judge them."""
