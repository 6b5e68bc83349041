"""Values for random calls: right ones by the name of a parameter, and wrong ones.

A value is a Python expression, so that a call can be repeated from the message of a failed test.
"""

import array
import collections
import datetime as dt
import decimal
import fractions
import math
import pathlib
import uuid

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse
from hypothesis import strategies as st
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import metameasure as mm
from metameasure.data import read_models
from metameasure.results import FORMATS

CASES = 24
RNG = np.random.default_rng(3)
Y = np.arange(CASES) % 3 % 2
S = np.round((RNG.random(CASES) + Y) / 2, 2)
MODELS = {"a": S, "b": np.round(RNG.random(CASES), 1)}
W = RNG.integers(1, 4, CASES).astype(float)
G = np.array(["u", "v", "v", "w"] * (CASES // 4))
C = np.arange(CASES) // 2
F = np.arange(CASES) % 4
X = np.column_stack([RNG.normal(Y, 1), RNG.normal(size=(CASES, 2))])
CLASSES = np.array(["cat", "dog", "eel"])[np.arange(CASES) % 3]
THREE = RNG.dirichlet([1, 1, 1], CASES)
FRAME = pl.DataFrame({"y": Y, **MODELS, "w": W, "g": G, "c": C, "f": F, "k": CLASSES})
SETS = {"a": RNG.random(8), "b": RNG.random(8), "c": RNG.random(8)}


def broken(column, place, value):
    """A column as a list with one wrong value."""
    values = list(column)
    values[place] = value
    return values


def nested(depth):
    """A list in a list, and so on."""
    value = [0.5]
    for _ in range(depth):
        value = [value]
    return value


def objects(*values):
    """An array of objects, even where they are sequences."""
    found = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        found[place] = value
    return found


KNOWN = {
    **{name: value for name, value in globals().items() if name.isupper()},
    "mm": mm,
    "np": np,
    "pd": pd,
    "pl": pl,
    "pa": pa,
    "dt": dt,
    "uuid": uuid,
    "array": array,
    "collections": collections,
    "decimal": decimal,
    "fractions": fractions,
    "pathlib": pathlib,
    "scipy": scipy,
    "nan": math.nan,
    "inf": math.inf,
    "broken": broken,
    "nested": nested,
    "objects": objects,
    "read_models": read_models,
    "GaussianNB": GaussianNB,
    "SGDClassifier": SGDClassifier,
    "TREE": DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, Y),
    "TABLE": mm.tabulate(Y, S),
}
"""The names that calls use."""

NUMBERS = """
0 1 -1 2 3 17 0.5 -0.0 1.5 -0.5 2.5 1e-9 5e-324 nan inf -inf True False 1j decimal.Decimal("0.5")
decimal.Decimal("NaN") fractions.Fraction(1,3) np.float16(0.5) np.float64("nan") np.int8(3)
np.uint64(2) np.bool_(True) np.longdouble(0.5) np.complex128(1)
""".split()
LARGE = """
10**6 2**31 2**63 -2**63 10**30 -10**30 10**400 1e308 -1e308 decimal.Decimal("1E+999")
""".split()
"""Numbers too large for the size of some work, but possible elsewhere."""
WORDS = """
'' '\\x20' 'x' '0.5' 'nan' 'auc' '-' '..' '*' '[' 'a,b' 'default' 'all' 'None' '\\ud800' 'a\\x00b'
'\\x1b[31m' 'é' '🙂' '\\u202e' '=1+1' 'nosuch.csv' '*.csv' '/' '9'*300 'x'*300 '('*50 b'x' b'\\xff'
bytearray(b'x')
""".split()
OBJECTS = """
None ... object() int len float dt mm mm.auc mm.roc mm.DataError lambda*_:0 slice(2) range(3)
uuid.UUID(int=1) dt.datetime(2020,1,1) dt.date(2020,1,1) dt.timedelta(1) np.datetime64('NaT')
np.datetime64('2020') np.timedelta64(1) pd.NA pd.NaT pd.Timestamp(0) pd.Interval(0,1)
pathlib.Path('nosuch.csv') pathlib.Path('.') np.random.default_rng(0) np.dtype(float)
memoryview(b'ab') TABLE mm.tabulate_lists(Y,np.array([S,S])) mm.Real()
mm.ConfusionMatrix([[1,2],[3,4]]) mm.roc(Y,S) mm.interval(Y,S,'auc')
read_models(Y,S) TREE GaussianNB() mm.Ranking([3,1,2]) mm.two_level('auc','ks')
mm.Check('MM01','x') mm.lab.ranked_lists(2,2)
""".split()
CONTAINERS = """
[] () {} set() [None] [[]] [0] [1] [0.5] [1,0] (0,1) (1,0) (0.2,0.1) [nan] [inf] [''] ['a']
['a','a'] [0,'a',None] [[1,2],[3,4]] [[1],[2,3]] nested(5) nested(40) {'a':None} {'a':S} {'a':0.5}
{1:S} {None:S} {'':S} {'\\ud800':S} {('a',1):S} {'a':{'b':1}} {'a':S,'b':[1]} {1:S,'1':S} {nan:S}
{'a':TABLE} {'a':TABLE,'b':S} iter(S) (s_for_s_in_S) map(float,S) zip(S,S) set(Y) frozenset()
MODELS.values() collections.Counter('ab') collections.OrderedDict() np.array(5) np.array(None)
np.zeros(0) np.zeros((0,3)) np.zeros((2,2,2)) np.zeros((24,1)) np.ones((24,2)) np.zeros((24,3))
np.zeros((1,24)) np.array(['a','b']) np.array([b'a']) np.array([1+2j]*24) np.array(S,'f2')
np.array(S,'g') np.array(['2020']*24,'M8[D]') np.array([1]*24,'m8[s]') np.array([(1,2.0)],'i4,f8')
np.ma.masked_array(S,Y) np.ma.masked_all(24) objects(*S) objects(*Y,None)[1:] objects(*[[1]]*24)
objects(*['a',1]*12) objects(*[np.zeros(2)]*24) np.full(24,nan) np.full(24,inf) np.full(24,-1.0)
np.zeros(24) np.ones(24) -W W*0 np.arange(24) np.arange(23) Y[:1] S[:1] Y[::-1]
np.broadcast_to(0.5,24) S.astype('>f8') Y.astype('u1') Y.astype(str) Y.astype(bool) Y*2-1 Y+nan
array.array('d',S) scipy.sparse.csr_array(np.eye(3)) S.tolist() CLASSES THREE G X
np.array(S,object) pl.Series(S) pl.Series([]) pl.Series([None]*24) pl.Series([None,*S[1:]])
pl.Series(['a',None]*12) pl.Series([[1]]*24) pl.Series([{'a':1}]*24)
pl.Series(G,dtype=pl.Categorical) pl.Series([dt.date(2020,1,1)]*24)
pl.Series([decimal.Decimal(1)]*24) pl.Series([object()]*24,dtype=pl.Object) pl.DataFrame()
pl.LazyFrame() pl.DataFrame({'a':[]}) pl.DataFrame(MODELS) FRAME FRAME[:0] FRAME[:1] FRAME.lazy()
FRAME.with_columns(y=None) FRAME.with_columns(a=None) FRAME.with_columns(g=None)
FRAME.with_columns(y='k') FRAME.rename({'a':'\\x1b'}) FRAME.with_columns(w=-1.0)
FRAME.with_columns(c=pl.lit(dt.date(2020,1,1))) FRAME.with_columns(a=pl.lit(nan)) pd.Series(S)
pd.Series([]) pd.Series([pd.NA,*S[1:]]) pd.Series(S,dtype='Float64') pd.Series(G,dtype='category')
pd.Series(Y,index=range(24,0,-1)) pd.Series(['2020']*24,dtype='datetime64[ns]') pd.Series([1j]*24)
pd.DataFrame() pd.DataFrame(MODELS) pd.DataFrame(THREE) pd.DataFrame([[1,2]],columns=['a','a'])
pd.DataFrame(MODELS).T pd.DataFrame({('a',1):S}) pd.Index(S) pd.MultiIndex.from_arrays([Y,S])
FRAME.to_pandas() pa.table(MODELS) pa.array(S) pa.array([None]*24) pa.table({})
pd.Series(S).rolling(2) pd.arrays.SparseArray(S) {'a':pl.Series(S),'b':pd.Series(S)} {'a':THREE}
{'a':CLASSES} [TABLE,TABLE] [TABLE,S] {'a':TREE} [TREE]
""".split()
CONTAINERS = [each.replace("_for_s_in_", " for s in ") for each in CONTAINERS]
COLUMNS = {"y_true": "Y", "y_score": "S", "scores": "S", "sample_weight": "W", "group": "G"}
COLUMNS |= {"cluster": "C", "fold": "F", "y": "Y", "expected": "S", "actual": "S"}
TOKENS = """
auc brier f_measure accuracy ks precision two_level linear mean_over nosuch ( ) , @ = >= <= < - + *
; . % [ ] { beta top k fpr tpr threshold 0.5 -1 1e999 nan inf baseline by_group default all P 10% '
" \\ud800 é 1 2
""".split()
"""Parts of texts of measures, requirements and alternatives."""


def wrong(name, *, large):
    """Expressions that are wrong for most parameters; ``large`` numbers only where they may be."""
    column = COLUMNS.get(name)
    pools = [NUMBERS, WORDS, OBJECTS, CONTAINERS, *([LARGE] if large else [])]
    if name == "workers":
        # more than one would start processes
        return st.sampled_from(["0", "-1", "1.5", "nan", "True", *WORDS, *CONTAINERS])
    kinds = [st.sampled_from(pool) for pool in pools]
    kinds += [
        st.floats().filter(lambda x: large or abs(x) < 50).map(repr),
        st.integers(-5, 40 if large else 5).map(repr),
        st.text(max_size=6).map(repr),
        st.lists(st.sampled_from(TOKENS), min_size=1, max_size=6).map("".join).map(repr),
        st.lists(st.sampled_from(NUMBERS + WORDS), max_size=3).map(lambda v: f"[{', '.join(v)}]"),
    ]
    if column:
        place = st.integers(0, CASES - 1)
        value = st.sampled_from(NUMBERS + LARGE + WORDS + OBJECTS)
        spoilt = st.builds(lambda p, v: f"broken({column}, {p}, {v})", place, value)
        kinds += [spoilt] * 3
    return st.one_of(kinds)


ANY_FORM = {
    "ci": ["0.9", "0.5"],
    "method": ["'auto'", "'bca'", "'delong'", "'wilson'", "'percentile'", "'jackknife'"],
    "seed": ["0", "None"],
    "mute": ["''", "'MM04'", "['MM04', 'MM05']"],
    "measure": ["'auc'", "mm.brier", "'accuracy@top=10%'", "'f_measure(beta=2)'"],
    "measures": ["'auc'", "'auc, brier'", "['ks', mm.accuracy]", "'default'", "mm.auc"],
    "f": ["'auc'"],
    "g": ["'accuracy'", "'ks'"],
    "first": ["'auc'"],
    "second": ["'brier'"],
    "text": ["'auc'", "'location(0.5)'"],
    "goal": ["'auc'", "'accuracy'"],
    "goals": ["'auc'"],
    "maximize": ["'accuracy'", "mm.mcc"],
    "reference": ["'a'", "None", "'auc'", "0.5"],
    "require": ["'auc >= 0.5'", "['auc >= 0.5', 'brier <= 0.3']", "'auc >= baseline - 0.1'"],
    "baseline": ["'b'", "None"],
    "undecided": ["'pass'", "'fail'"],
    "kind": ["'roc'", "mm.precision_recall", "'reliability'"],
    "around": ["'curve'", "'diagonal'"],
    "grid": ["5", "[0.1, 0.5]"],
    "cuts": ["[0.5]", "[0.2, 0.4]"],
    "edges": ["[0.5]", "'clip'", "[0.2, 0.4]"],
    "equal": ["'mass'", "'width'"],
    "bins": ["2", "5"],
    "groups": ["3", "10"],
    "threshold": ["0.5"],
    "thresholds": ["(0.1, 0.6)"],
    "margin": ["0.1", "None"],
    "alternative": ["'two-sided'", "'location(0.5)'", "'less'"],
    "side": ["'greater'"],
    "positives": ["3", "10"],
    "negatives": ["3", "10"],
    "n": ["3"],
    "classes": ["3"],
    "per_class": ["2"],
    "domain": ["mm.lab.ranked_lists(3, 3)", "mm.lab.permutations(3)"],
    "domains": ["{1: mm.lab.ranked_lists(2, 2)}"],
    "generator": [
        "'replaced_scores'",
        "mm.lab.perturbed(0.5)",
        "mm.lab.NormalScores(5, 5)",
        "mm.lab.SwappedLabels(20, 2)",
    ],
    "levels": ["0.1", "[0.1, 0.2]"],
    "noise": ["'labels'", "'scores'", "0.1", "[0.1]", "mm.lab.ScoreNoise()"],
    "estimator": ["TREE", "GaussianNB()", "SGDClassifier(loss='log_loss')"],
    "estimators": ["GaussianNB()", "{'a': GaussianNB()}"],
    "candidates": ["{'a': GaussianNB(), 'b': TREE}", "2"],
    "parameters": ["{'var_smoothing': [1e-9, 1e-3]}"],
    "counts": ["[1, 2]", "[[3, 1], [1, 2]]", "True"],
    "X": ["X"],
    "y": ["Y"],
    "attributes": ["X"],
    "positive": ["Y.astype(bool)"],
    "score": ["S"],
    "better": ["S"],
    "worse": ["MODELS['b']"],
    "rng": ["np.random.default_rng(0)"],
    "share": ["0.2"],
    "shift": ["0.5"],
    "reach": ["0.1"],
    "ratio": ["2.0"],
    "family": ["'beta'", "'ranking'"],
    "base": ["'normal'", "'logistic'"],
    "values": ["SETS", "[0.5, 0.7]"],
    "n_train": ["90"],
    "n_test": ["10"],
    "best": ["'max'", "'min'"],
    "selections": ["{'d': mm.lab.selection(Y, MODELS, repeats=10, validation_size=10, workers=1)}"],
    "expected": ["S"],
    "actual": ["MODELS['b']"],
    "period": ["F"],
    "order": ["[2, 0, 1]"],
    "pos": ["[1, 2]"],
    "neg": ["[0, 3]"],
    "labels": ["['a', 'b']", "None"],
    "models": ["read_models(Y, MODELS)"],
    "matrix": ["mm.ConfusionMatrix([[3, 1], [1, 2]])"],
    "kinds": ["mm.Share"],
    "words": ["('a', 'b')"],
    "low": ["0"],
    "high": ["1"],
    "nan_policy": ["'raise'", "'drop'"],
    "rescale": ["'minmax'", "None"],
    "pos_label": ["1", "None", "0"],
    "value": ["0.7", "0.8"],
    "width": ["0.1"],
    "prevalence": ["0.3"],
    "power": ["0.8"],
    "cost_fp": ["1.0"],
    "cost_fn": ["3.0"],
    "prior": ["0.3"],
    "format": [repr(name) for name in FORMATS],
    "table": ["'rows'"],
    "path": [f"'result.{suffix}'" for suffix in ("json", "csv", "html", "md", "txt")],
    "file": ["'figure.svg'", "'figure.png'"],
    "size": ["(3.0, 3.0)", "20"],
    "line": ["None"],
    "by": ["'true'", "'all'"],
    "normalize": ["'true'", "None"],
    "average": ["'macro'", "'micro'"],
    "y_pred": ["(S > 0.5).astype(int)"],
    "x": ["0.5", "[0.1, 0.2]"],
    "highlight": ["['a']", "'a'"],
}
"""Right values by the name of the parameter; several functions may use one name differently."""
SMALL_WORK = {
    "resamples": ["10", "20"],
    "repeats": ["2", "10"],
    "lists": ["20"],
    "permutations": ["39"],
    "sets": ["2"],
    "parts": ["2"],
    "folds": ["2", "3"],
    "workers": ["1"],
    "max_epochs": ["3"],
    "sizes": ["[10, 12]", "12"],
    "validation_size": ["10"],
    "progress": ["False"],
}
"""Right values of what determines how long a call takes, which is always passed."""
NEVER_LARGE = {
    *SMALL_WORK,
    *["positives", "negatives", "n", "classes", "per_class", "cases", "size", "every", "remove"],
    *["candidates", "patience", "swapped", "replaced", "further", "cut", "counts"],
}
"""Parameters of which a large number is right, but takes too long."""
FORMS = {
    "arrays": {
        "y_true": ["Y", "Y.tolist()", "Y.astype(bool)", "pd.Series(Y)"],
        "y_score": ["S", "S.tolist()", "pl.Series(S)"],
        "scores": ["MODELS", "S", "pd.DataFrame(MODELS)"],
        "sample_weight": ["W"],
        "group": ["G"],
        "cluster": ["C"],
        "fold": ["F"],
    },
    "frame": {
        "y_true": ["FRAME", "FRAME.to_pandas()", "FRAME.lazy()", "pa.table(FRAME)"],
        "y_score": ["'a'"],
        "scores": ["['a', 'b']", "'a'"],
        "label": ["'y'"],
        "weight": ["'w'"],
        "group": ["'g'"],
        "cluster": ["'c'"],
        "fold": ["'f'"],
    },
    "tables": {"y_true": ["TABLE", "{'a': TABLE, 'b': TABLE}", "[TABLE, TABLE]"]},
    "classes": {
        "y_true": ["CLASSES"],
        "y_score": ["THREE"],
        "scores": ["THREE", "{'a': THREE, 'b': THREE[::-1]}"],
        "labels": ["['cat', 'dog', 'eel']"],
        "sample_weight": ["W"],
        "cluster": ["C"],
    },
    "orders": {"y_true": ["S"], "y_score": ["W"], "scores": ["MODELS"], "order": ["True"]},
}
"""Right values of data, which must go together."""
