"""The experiments of the papers: data sets, learners, and the items that `reproduce` runs."""

from metameasure._lazy import lazy_door

_ROOMS = {
    "dataset": "Attribute Dataset",
    "erratum": "Erratum errata",
    "generators": ("balance led monks polynomial ringnorm tic_tac_toe waveform"),
    "declaration": "Item Value item items",
    "loading": "known load",
    "claims": "Claim Judgment claim",
    "reproduction": "Reproduction",
    "runner": "FOLDER ItemList item_list reproduce run_item",
    "summary": "summary_page",
    "tolerance": "LastDigit Sampling Within",
    "learners.coding": "AttributeCoder",
    "learners.discretization": "entropy_cuts",
    "learners.kstar": "KStar",
    "learners.logistic": "RidgeLogistic",
    "learners.naive_bayes": "MixedNaiveBayes",
    "learners.resampled_bayes": "cross_validated_bayes",
    "learners.tree": "C45Tree",
    "learners.vfi": "VFI",
    "learners.weka": "WekaIBk WekaJ48 WekaKStar WekaLogistic WekaNaiveBayes WekaSMO",
}

__getattr__, __dir__, __all__ = lazy_door(__name__, _ROOMS)
