"""Limits at a cut after a fraction or number of cases: what is drawn, and how it varies."""

import numpy as np
import pytest
from scipy import stats

import metameasure as mm
from metameasure.data import Predictions
from metameasure.inference import Plan, Sample, rank_cuts
from metameasure.inference.free_rate import FreeRate, limits_of_draws
from metameasure.inference.intervals import Interval

TABLE = mm.ScoreTable([0.9, 0.7, 0.5, 0.3], [15, 5, 5, 5], [5, 5, 25, 35])
SIZES = 3.0, 7.0


def empty(text, plan):
    measure = mm.parse(text)
    return Interval.empty(measure, float(measure.compute(TABLE)), plan, "linearized")


def limits(text, shares, plan, seed=1):
    made = empty(text, plan)
    rate, rng = FreeRate.of(TABLE, made.measure.point), np.random.default_rng(seed)
    found = limits_of_draws(made, rate, shares, SIZES, plan, rng)
    return found.low, found.high


FORMULAS = {
    "precision@top=20%": lambda share, prior: share,
    "lift@top=20%": lambda share, prior: share / prior,
    "tpr@top=20%": lambda share, prior: share * 0.2 / prior,
    "fpr@top=20%": lambda share, prior: (0.2 - share * 0.2) / (1 - prior),
    "tpr@k=P": lambda share, prior: share,
    "fpr@k=P": lambda share, prior: (prior - share * prior) / (1 - prior),
    "precision@fpr=0.1": lambda share, prior: share * prior / (share * prior + 0.1 * (1 - prior)),
    "precision@tpr=0.6": lambda share, prior: 0.6 * prior / (0.6 * prior + share * (1 - prior)),
}
"""Values by the free rate and a prevalence between 0.2 and 0.5."""


@pytest.mark.parametrize("text", FORMULAS)
def test_limits_are_quantiles_of_the_value_for_draws_of_the_rate(text):
    """In strata the prevalence is known, here 3 of 10."""
    shares = np.linspace(0.01, 0.99, 5001)
    found = limits(text, shares, Plan(ci=0.9, stratified=True))
    values = FORMULAS[text](shares, 0.3)
    low, high = np.quantile(values, [0.05, 0.95])
    # The value itself is always between the limits.
    value = empty(text, Plan()).value
    assert found == pytest.approx((min(low, value), max(high, value)), rel=1e-9)


def test_the_prevalence_has_the_posterior_of_jeffreys_prior():
    """At a free rate of 1/2 the TPR of the first 20% is 0.1 / prevalence, if that is above 0.2."""
    low, high = limits("tpr@top=20%", np.full(200_000, 0.5), Plan())
    prior = stats.beta(3.5, 7.5).ppf([0.975, 0.025])
    assert prior[1] < 0.2 < prior[0]
    # Below 0.2, half of all positives are among the first.
    assert low == pytest.approx(0.1 / prior[0], rel=0.01)
    assert high == pytest.approx(15 / 30)


@pytest.mark.parametrize(("text", "of_share", "of_prior"), [
    ("precision@top=20%", lambda s, p: 1.0, lambda s, p: 0.0),
    ("lift@top=20%", lambda s, p: 1 / p, lambda s, p: -s / p**2),
    ("tpr@k=P", lambda s, p: 1.0, lambda s, p: 0.0),
    ("fpr@k=P", lambda s, p: -p / (1 - p), lambda s, p: (1 - s) / (1 - p) ** 2),
])  # fmt: skip
@pytest.mark.parametrize("share", [0.3, 0.8])
def test_a_variance_relative_to_that_of_independent_draws(text, of_share, of_prior, share):
    measure = mm.parse(text)
    rate = FreeRate.of(TABLE, measure.point)
    apart = of_share(share, 0.3) ** 2 * share * (1 - share) / 12
    apart += of_prior(share, 0.3) ** 2 * 0.3 * 0.7 / 10
    for ratio in (0.5, 1.0, 3.0):
        found = rank_cuts._correlated(measure, rate, share, 12.0, SIZES, ratio * apart)
        assert found == pytest.approx(ratio, rel=1e-6)
    # At most 4 times as much or as little.
    for square, expected in ((9 * apart, 4), (apart / 9, 1 / 4)):
        found = rank_cuts._correlated(measure, rate, share, 12.0, SIZES, square)
        assert found == pytest.approx(expected)


def test_a_value_that_does_not_depend_on_the_draws_is_not_compared():
    measure = mm.parse("lift@top=100%")
    rate = FreeRate.of(TABLE, measure.point)
    assert rank_cuts._correlated(measure, rate, 0.4, 12.0, SIZES, 0.1) == 1


@pytest.fixture
def drawn(monkeypatch):
    """What an interval draws, given the errors of the rate (0.1) and of the value (0.2)."""
    asked = {}

    def correlated(measure, rate, share, cases, sizes, square):
        asked.update(share=share, cases=cases, before=sizes, square=square)
        return 2.5

    def kept(made, rate, shares, sizes, plan, rng):
        asked.update(shares=shares, sizes=sizes)
        return made

    errors = iter([0.1, 0.2])
    monkeypatch.setattr(rank_cuts, "standard_error", lambda *_, **__: next(errors))
    monkeypatch.setattr(rank_cuts, "_correlated", correlated)
    monkeypatch.setattr(rank_cuts, "limits_of_draws", kept)
    return asked


def interval(text, plan, label, score, wider=1.0, **given):
    sample = Sample.of(Predictions.of(label, {"m": score}, **given))
    measure = mm.parse(text)
    value = float(measure.compute(sample.tables["m"]))
    made = Interval.empty(measure, value, plan, "linearized")
    rank_cuts.rank_cut_interval(made, sample, "m", plan, wider)


def has_distribution(shares, expected):
    """Kolmogorov's distance of 5000 draws is below 0.03 with a probability of 99.97%."""
    return shares.size == 5000 and stats.ks_1samp(shares, expected.cdf).statistic < 0.03


LABEL = np.repeat([1, 0, 1, 0], [6, 2, 8, 24])
SCORE = np.linspace(1, 0, 40)


def test_the_free_rate_varies_as_its_influences(drawn):
    """6 of the first 8 cases are positive; an error of 0.1 is that of 0.75 * 0.25 / 0.01 cases."""
    interval("lift@top=20%", Plan(), LABEL, SCORE, wider=1.5)
    cases = 0.75 * 0.25 / 0.01 / 1.5
    assert (drawn["share"], drawn["cases"]) == pytest.approx((0.75, cases))
    assert drawn["before"] == pytest.approx((14, 26))
    assert drawn["square"] == pytest.approx(1.5 * 0.04)
    assert drawn["sizes"] == pytest.approx((14 / 2.5, 26 / 2.5))
    effective = cases / 2.5
    assert has_distribution(
        drawn["shares"], stats.beta(0.75 * effective + 0.5, 0.25 * effective + 0.5)
    )


def test_in_strata_only_the_rate_varies(drawn):
    interval("lift@top=20%", Plan(stratified=True), LABEL, SCORE)
    assert "factor" not in drawn
    assert drawn["sizes"] == pytest.approx((14, 26))
    assert has_distribution(drawn["shares"], stats.beta(14.0625 + 0.5, 4.6875 + 0.5))


@pytest.mark.parametrize(("label", "share"), [(SCORE > 0.5, 1.0), (SCORE < 0.5, 0.0)])
def test_a_rate_at_an_end_is_that_of_the_cases_above_the_cut(drawn, label, share):
    """All 8 cases above the cut are positive, or none is."""
    interval("lift@top=20%", Plan(), label, SCORE)
    assert "share" not in drawn
    assert drawn["sizes"] == pytest.approx((20, 20))
    assert has_distribution(drawn["shares"], stats.beta(8 * share + 0.5, 8 * (1 - share) + 0.5))


def test_heavy_cases_above_the_cut_enlarge_both_variances(drawn):
    weight = np.where(np.arange(40) == 0, 3.0, 1.0)
    interval("lift@k=9", Plan(), LABEL, SCORE, sample_weight=weight)
    # The 7 cases above the cut have a weight of 9; they count as 81 / 15 cases.
    heavier = 1 + 16 * (15 / 81 - 1 / 7)
    assert drawn["share"] == pytest.approx(8 / 9)
    assert drawn["cases"] == pytest.approx(8 / 81 / 0.01 / heavier)
    assert drawn["square"] == pytest.approx(heavier * 0.04)
