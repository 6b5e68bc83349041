"""Why a measure has no value: the reasons that several measures share."""

A_CLASS_EMPTY = "a class is empty"
NO_POSITIVE = "there is no positive case"
NO_NEGATIVE = "there is no negative case"
NONE_ABOVE = "no case lies above the cut"
NONE_BELOW = "no case lies below the cut"
