"""Each kind of noise changes exactly the declared fraction of cases."""

import pickle
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

import metameasure as mm
from metameasure.lab.perturbation import model_pairs, noise
from metameasure.lab.perturbation.model_pairs import OwnScores, Pairs, ReplacedScores, SwappedLabels

RARE = 1e-4


def rng(seed=1):
    return np.random.default_rng(seed)


def alike(counts):
    """Whether things that should be equally frequent are."""
    return stats.chisquare(np.ravel(counts)).pvalue > RARE


# Labels


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_redrawn_labels_are_half_of_the_share_the_other_class(share):
    labels = rng().random((20_000, 10)) < 0.3
    noisy = noise.redraw_labels(labels, share, rng(2))
    flips = (noisy != labels).sum(axis=1)
    redrawn = round(share * 10)
    expected = stats.binom.pmf(np.arange(redrawn + 1), redrawn, 0.5) * labels.shape[0]
    found = np.bincount(flips, minlength=redrawn + 1)
    assert found.size == redrawn + 1
    assert redrawn == 0 or stats.chisquare(found, expected).pvalue > RARE
    assert redrawn == 0 or alike((noisy != labels).sum(axis=0))


def test_labels_of_the_training_part_only():
    labels = rng().random(1000) < 0.5
    part = np.arange(0, 1000, 2)
    noisy = noise.redraw_labels(labels, 0.4, rng(2), rows=part)
    assert (noisy[1::2] == labels[1::2]).all()
    assert 60 < (noisy != labels).sum() < 140
    mask = np.arange(1000) % 2 == 0
    assert (noise.redraw_labels(labels, 0.4, rng(2), rows=mask) == noisy).all()


def test_each_list_of_a_block_has_its_own_part():
    labels = np.zeros((2000, 50), dtype=bool)
    among = np.arange(50) >= np.where(np.arange(2000) % 2, 10, 0)[:, np.newaxis]
    noisy = noise.redraw_labels(labels, 0.1, rng(3), rows=among)
    assert not noisy[~among].any()
    assert noisy[::2].sum(axis=1).max() == 5
    assert noisy[1::2].sum(axis=1).max() == 4
    assert noisy.mean() == pytest.approx((2.5 + 2) / 100, rel=0.06)
    shared = noise.redraw_labels(labels, 1.0, rng(3), rows=[0, 7])
    assert alike([(shared[:, 0] & shared[:, 7]).sum(), (~shared[:, 0] & shared[:, 7]).sum()])
    assert not np.delete(shared, [0, 7], axis=1).any()


# Scores


def test_scores_are_moved_uniformly_and_independently():
    score = rng().random((50, 400))
    moved = noise.blur_scores(score, 0.25, rng(2)) - score
    assert stats.kstest(moved.ravel(), stats.uniform(-0.25, 0.5).cdf).pvalue > RARE
    assert abs(np.corrcoef(moved.ravel()[1:], moved.ravel()[:-1])[0, 1]) < 0.03


def test_scores_are_clipped_if_asked_for():
    score = rng().random(10_000)
    free, clipped = (noise.blur_scores(score, 0.4, rng(2), clip=c) for c in (False, True))
    assert free.min() < 0
    assert free.max() > 1
    assert (clipped == np.clip(free, 0, 1)).all()


def test_both_models_get_their_own_noise():
    pairs = ReplacedScores(further=0).draw(5, rng())
    assert (pairs.better == pairs.worse).all()
    noisy = noise.ScoreNoise()(pairs, 0.1, rng(2))
    assert (noisy.better != noisy.worse).all()
    assert noisy.positive is pairs.positive


# Class proportion


@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 0.8, 1.0])
def test_the_given_share_of_positives_is_deleted_and_no_negative(share):
    labels = rng().random((500, 40)) < rng(3).random((500, 1))
    left = noise.delete_positives(labels, share, rng(2))
    assert left[~labels].all()
    deleted = (labels & ~left).sum(axis=1)
    assert deleted.tolist() == [round(share * p) for p in labels.sum(axis=1).tolist()]


def test_every_positive_is_deleted_equally_often():
    labels = np.tile(np.array([1, 0, 1, 1, 1, 0, 1], dtype=bool), (30_000, 1))
    left = noise.delete_positives(labels, 0.4, rng())
    chosen = ~left[:, labels[0]]
    assert alike([(chosen[:, i] & chosen[:, j]).sum() for i in range(5) for j in range(i)])


def test_a_deleted_case_is_as_good_as_none():
    pairs = SwappedLabels(cases=30).draw(40, rng())
    noisy = noise.ProportionNoise()(pairs, 0.7, rng(2))
    block = noisy.tables()
    for text in ("auc", "ks", "taks", "h_measure", "brier", "scored_auc", "f_measure", "abc"):
        measure = mm.parse(text)
        values = measure.compute(block)
        for model, scores in enumerate(noisy.scores):
            for row in range(40):
                there = noisy.weight[model, row] > 0
                alone = measure(noisy.positive[model, row, there], scores[row, there])
                assert values[model, row] == pytest.approx(alone, rel=1e-12, abs=1e-15)


def test_deleting_twice_deletes_of_what_is_left():
    pairs = ReplacedScores().draw(20, rng())
    once = noise.ProportionNoise()(pairs, 0.5, rng(2))
    twice = noise.ProportionNoise()(once, 1.0, rng(3))
    assert not (twice.weight * twice.positive).any()
    assert (twice.weight[~twice.positive] == 1).all()


# Attributes


def test_a_share_of_each_attribute_is_permuted():
    table = rng().random((200, 6))
    noisy = noise.permute_attributes(table, 0.3, rng(2))
    assert (np.sort(noisy, axis=0) == np.sort(table, axis=0)).all()
    changed = noisy != table
    assert (changed.sum(axis=0) <= 60).all()
    assert (changed.sum(axis=0) >= 50).all()
    assert not (changed == changed[:, :1]).all()


def test_every_permutation_of_the_chosen_values_is_equally_frequent():
    order = {p: place for place, p in enumerate(permutations(range(4)))}
    table = np.tile(np.arange(4)[:, np.newaxis], (1, 40_000))
    noisy = noise.permute_attributes(table, 1.0, rng())
    assert alike(np.bincount([order[tuple(c)] for c in noisy.T.tolist()], minlength=24))


def test_each_list_of_a_block_has_its_own_permuted_rows():
    among = np.ones((4, 60), dtype=bool)
    among[1:3, :20] = False
    rows = noise.permuted_rows(among, 7, 0.1, rng())
    here = np.arange(60)[:, np.newaxis]
    assert (np.sort(rows, axis=1) == here).all()
    moved = rows != here
    assert not moved[1:3, :20].any()
    assert (moved.sum(axis=1) <= [[6], [4], [4], [6]]).all()
    assert moved.sum() > 90  # one value of each permutation returns, on average


def test_permuted_rows_are_uniform():
    """Of 3 chosen values of 30, each of the 6 orders comes equally often."""
    rows = noise.permuted_rows(np.ones((6000, 30), dtype=bool), 1, 0.1, rng(2))[..., 0]
    moved = (rows != np.arange(30)).sum(axis=1)
    # 1 of 6 orders moves none, 3 move two, 2 move three values
    counts = np.bincount(moved, minlength=4)[[0, 2, 3]]
    assert stats.chisquare(counts, 6000 * np.array([1 / 6, 1 / 2, 1 / 3])).pvalue > RARE
    assert alike((rows != np.arange(30)).sum(axis=0))


def test_attributes_of_the_training_part_of_any_kind():
    table = np.array([[f"{column}{row}" for column in "ab"] for row in range(50)], dtype=object)
    part = np.arange(20)
    noisy = noise.permute_attributes(table, 1.0, rng(), rows=part)
    assert (noisy[20:] == table[20:]).all()
    assert sorted(noisy[:20, 1]) == sorted(table[:20, 1])
    assert (noisy != table).any()


def test_what_is_disturbed_is_not_written_to():
    labels, score, table = rng().random(50) < 0.5, rng().random(50), rng().random((50, 3))
    kept = [a.copy() for a in (labels, score, table)]
    for array in (labels, score, table):
        array.flags.writeable = False
    noise.redraw_labels(labels, 1.0, rng())
    noise.redraw_labels(labels, 1.0, rng(), rows=[1, 2])
    noise.blur_scores(score, 1.0, rng(), clip=True)
    noise.delete_positives(labels, 1.0, rng())
    noise.permute_attributes(table, 1.0, rng())
    assert all((a == b).all() for a, b in zip((labels, score, table), kept, strict=True))


@pytest.mark.parametrize("name", sorted(noise.NOISES))
def test_no_noise_changes_nothing(name):
    pairs = SwappedLabels(cases=20).draw(10, rng())
    same = noise.NOISES[name](pairs, 0.0, rng(2))
    assert same.tables() == pairs.tables()
    assert noise.NOISES[name].name == name
    assert pickle.loads(pickle.dumps(noise.NOISES[name])) == noise.NOISES[name]  # noqa: S301


@pytest.mark.parametrize("share", [-0.1, 1.1, np.nan, True, "0.1", None])
def test_a_share_lies_between_0_and_1(share):
    labels = np.ones(4, dtype=bool)
    for function in (noise.redraw_labels, noise.delete_positives):
        with pytest.raises(mm.ParameterError, match=r"share must be in \[0, 1\], got"):
            function(labels, share, rng())
    with pytest.raises(mm.ParameterError, match=r"share must be in \[0, 1\], got"):
        noise.permute_attributes(np.eye(3), share, rng())


def test_bad_input_is_refused_in_words():
    with pytest.raises(mm.ParameterError, match=r"reach must be >= 0, got -0.1"):
        noise.blur_scores(np.zeros(3), -0.1, rng())
    with pytest.raises(mm.DataError, match="matrix of cases by attributes"):
        noise.permute_attributes(np.zeros(3), 0.1, rng())
    for rows in ([0, 0], [0.5], [True], [3], np.ones((2, 3), dtype=bool)):
        with pytest.raises(mm.ParameterError, match="rows must be"):
            noise.redraw_labels(np.ones(3, dtype=bool), 0.1, rng(), rows=rows)


# Generators


def test_the_worse_model_has_further_scores_replaced():
    pairs = ReplacedScores(50, 7, 4).draw(300, rng())
    assert pairs.positive.shape == pairs.better.shape == (300, 50)
    assert ((pairs.better != pairs.worse).sum(axis=1) == 4).all()
    wrong = (pairs.positive != (pairs.better >= 0.5)).sum(axis=1)
    assert wrong.max() <= 7
    assert abs(wrong.mean() - 3.5) < 0.3
    assert abs((pairs.positive != (pairs.worse >= 0.5)).sum(axis=1).mean() - 5.5) < 0.4


def test_both_data_sets_have_their_own_probabilities():
    pairs = SwappedLabels().draw(200, rng())
    assert pairs.positive.shape == (2, 200, 100)
    assert (pairs.better != pairs.worse).all()
    accuracy = mm.accuracy.compute(pairs.tables())
    assert (accuracy[0] == 0.9).all()
    assert (accuracy[1] == 0.89).all()


@pytest.mark.parametrize(("size", "pool"), [(3, 6), (3, 13)])
def test_distinct_numbers_in_every_order_equally_often(size, pool):
    drawn = model_pairs.draw_distinct(60_000, size, pool, rng())
    assert (np.diff(np.sort(drawn, axis=1)) > 0).all()
    code = np.ravel_multi_index(tuple(drawn.T), (pool,) * size)
    kinds = [np.ravel_multi_index(p, (pool,) * size) for p in permutations(range(pool), size)]
    assert alike(np.bincount(code, minlength=pool**size)[kinds])


def test_own_scores_are_those_of_the_cases_but_for_the_replaced():
    score = np.arange(1000) / 1000
    labels = rng().random(1000) < score
    pairs = OwnScores.of(labels, score, share=0.2, before=0.1, size=50).draw(400, rng(2))
    which = np.rint(pairs.better * 1000).astype(int)
    assert (labels[which[:, 5:]] == pairs.positive[:, 5:]).all()
    assert (np.diff(np.sort(which[:, 5:], axis=1)) > 0).all()
    assert np.isin(pairs.worse, score).all()
    assert (pairs.better[:, 15:] == pairs.worse[:, 15:]).all()
    assert ((pairs.better != pairs.worse).sum(axis=1) <= 10).all()
    assert stats.kstest(pairs.worse[:, 5:15].ravel(), stats.uniform.cdf).pvalue > RARE


def test_all_own_cases_are_used_without_a_size():
    score = rng().random(30)
    own = OwnScores.of(["yes"] * 12 + ["no"] * 18, score, pos_label="yes")
    pairs = own.draw(50, rng(2))
    assert (np.sort(pairs.better, axis=1) == np.sort(score)).all()
    assert (pairs.positive.sum(axis=1) == 12).all()
    replaced = {round(s, 12) for s in pairs.better[pairs.better != pairs.worse]}
    assert len(replaced) == 30
    assert str(own) == "own scores (30 cases, share=0.1, before=0)"


@pytest.mark.parametrize(
    ("error", "make", "words"),
    [
        (
            mm.ParameterError,
            lambda: ReplacedScores(cases=0),
            "cases must be an integer >= 1, got 0",
        ),
        (
            mm.ParameterError,
            lambda: ReplacedScores(cases=10, replaced=6, further=5),
            "replaced=6 and further=5 exceed cases=10",
        ),
        (
            mm.ParameterError,
            lambda: SwappedLabels(swapped=-1),
            "swapped must be an integer >= 0, got -1",
        ),
        (
            mm.ParameterError,
            lambda: SwappedLabels(further=0.5),
            "further must be an integer >= 0, got 0.5",
        ),
        (
            mm.ParameterError,
            lambda: OwnScores.of([1, 0], [0.5, 0.4], size=3),
            "size must be an integer from 1 to 2",
        ),
        (
            mm.ParameterError,
            lambda: OwnScores.of([1, 0], [0.5, 0.4], size=0),
            "size must be .* got 0",
        ),
        (
            mm.ParameterError,
            lambda: OwnScores.of([1, 0], [0.5, 0.4], share=2),
            r"share must be in \[0, 1\], got 2",
        ),
        (
            mm.ParameterError,
            lambda: OwnScores.of([1, 0], [0.5, 0.4], share=1, before=1),
            r"share \+ before must be <= 1",
        ),
        (
            mm.ParameterError,
            lambda: OwnScores.of([1, 0], [0.5, 0.4], share=0.1),
            "share of 2 scores rounds to 0: 0.1; increase it",
        ),
        (mm.DataError, lambda: OwnScores.of([1, 0], [0.5, 0.4, 0.3]), "differ in length"),
        (
            mm.DataError,
            lambda: Pairs(np.ones((2, 3), bool), np.ones((2, 3)), np.ones((2, 4))),
            "must have the same shape",
        ),
        (
            mm.DataError,
            lambda: Pairs(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 3))),
            "array of bool",
        ),
        (
            mm.DataError,
            lambda: Pairs(np.ones((2, 3), bool), *np.ones((2, 2, 3)), np.ones((2, 2, 3))),
            "differ in shape",
        ),
    ],
)
def test_impossible_generators_are_refused(error, make, words):
    with pytest.raises(error, match=words):
        make()


def test_own_scores_need_both_classes():
    with pytest.raises(mm.DataError, match="one class"):
        OwnScores.of([1, 1, 1], [0.1, 0.2, 0.3], share=0.5, pos_label=1)
