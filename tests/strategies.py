"""Random cases, parameters and operating points for any measure."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from metameasure import ScoreTable
from metameasure._arguments import Choice, Flag, Range, Real, Whole

EIGHTHS = [k / 8 for k in range(9)]
TENTHS = [k / 10 for k in range(11)]
INNER = [0.1, 0.2, 0.25, 0.3, 0.5, 0.7, 0.75, 0.9]


def cases(weights=True, min_size=1, max_size=10):
    """Cases with many ties; few, tied, imbalanced, of one class, weightless: all of it happens."""
    grid = st.sampled_from([EIGHTHS, TENTHS, INNER, [0.5, 0.6], [0.37]])
    weight = st.sampled_from([0, 0.25, 1, 1, 2.5, 3]) if weights else st.just(1)
    return grid.flatmap(
        lambda scores: st.lists(
            st.tuples(st.booleans(), st.sampled_from(scores), weight.map(Fraction)),
            min_size=min_size,
            max_size=max_size,
        )
    )


def parameters(measure):
    """Keywords that a measure admits, each left at its default half of the time."""
    kinds = {
        name: st.one_of(st.just(measure.declaration.defaults[name]), _values(kind))
        for name, kind in measure.declaration.parameters.items()
    }
    return st.fixed_dictionaries(kinds).map(lambda given: _compatible(given, measure.declaration))


def _compatible(given, declared):
    """Without the second of two parameters that exclude each other."""
    for first, second in declared.exclusive:
        if all(given.get(n, declared.defaults[n]) != declared.defaults[n] for n in (first, second)):
            given = {name: value for name, value in given.items() if name != second}
    return given


def _values(kind):
    match kind:
        case Flag():
            return st.booleans()
        case Choice(words):
            return st.sampled_from(words)
        case Whole(low):
            return st.integers(low, low + 11)
        case Range():
            return st.sampled_from([(0.0, 0.1), (0.25, 0.5), (0.2, 1.0), (0.75, 1.0), (0.0, 1.0)])
        case Real():
            return st.sampled_from([v for v in (*TENTHS, 0.125, 1.5, 2.0, 7.0) if _fits(kind, v)])
    raise AssertionError(f"no strategy for {kind}")


def _fits(kind, value):
    try:
        kind.read(value)
    except ValueError:
        return False
    return True


def points():
    """Operating points as keyword and value."""
    shares = st.sampled_from([*TENTHS, 0.125, 1 / 3])
    return st.one_of(
        st.tuples(st.just("threshold"), st.sampled_from([*TENTHS, 0.37, 0.55, -1.0, 2.0])),
        st.tuples(st.sampled_from(["top", "at_fpr", "at_tpr"]), shares),
        st.tuples(st.just("k"), st.sampled_from([0, 1, 2, 2.5, 4, 12, "P"])),
    )


def table_of(some_cases, scores=None):
    """The score table of cases, as the door would make it."""
    labels = np.array([label for label, _, _ in some_cases], dtype=bool)
    values = np.array([s for _, s, _ in some_cases] if scores is None else scores, dtype=float)
    weight = np.array([float(w) for _, _, w in some_cases])
    kept = weight > 0
    if not kept.any():
        return ScoreTable([0.5], [0], [0])
    if (weight == 1).all():
        return ScoreTable.from_cases(labels, values)
    return ScoreTable.from_cases(labels[kept], values[kept], weight[kept])
