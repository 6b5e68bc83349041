"""Studies in several processes: the same rows anywhere, errors and own measures included."""

import joblib
import pytest

import metameasure as mm
from metameasure import lab
from metameasure.lab.running import run


def work(task, rng):
    """A task and a random number."""
    return task, rng.random()


def fail(task, rng):
    """A task that cannot be done."""
    raise mm.DataError(f"task {task} makes no sense")


def study(**options):
    """The rows of a small study."""
    return lab.robustness("replaced_scores", "labels", [0.1, 0.3], "auc, ks", 600, **options).rows


def test_rows_are_the_same_for_any_number_of_workers():
    assert study(workers=1) == study(workers=2) == study(workers=8)
    assert study(workers=1) != study(workers=1, seed=2)


@pytest.mark.parametrize("backend", ["threading", "sequential", "loky"])
def test_joblib_says_where_studies_run(backend):
    with joblib.parallel_config(backend=backend, n_jobs=2):
        assert study() == study(workers=1)


def test_results_come_in_the_order_of_the_tasks():
    found = run(work, list(range(20)), seed=1, workers=2)
    assert [task for task, _ in found] == list(range(20))
    assert len({number for _, number in found}) == 20
    assert found == run(work, list(range(20)), seed=1, workers=1, threads=True)
    assert run(work, [], seed=1) == []


def test_progress_reaches_the_end():
    told = []
    run(work, list(range(5)), seed=1, workers=1, progress=told.append)
    assert told == [0.2, 0.4, 0.6, 0.8, 1.0]


def test_a_task_that_fails_is_an_error_in_words():
    with pytest.raises(mm.DataError, match="makes no sense"):
        run(fail, [1, 2, 3], seed=1, workers=2)


def test_own_measures_are_known_in_other_processes():
    @mm.measure(best="max", range=(0, 1), invariant_to=("monotone",), undefined="a class is empty")
    def halved_auc(table):
        """Half the AUC."""
        return mm.auc.compute(table) / 2

    rows = lab.robustness(
        "replaced_scores", "labels", [0.3], [halved_auc, "auc"], 400, workers=2
    ).rows
    assert rows[0].error_rate == rows[1].error_rate


@pytest.mark.parametrize("options", [{"seed": -1}, {"workers": 0}, {"workers": 1.5}])
def test_bad_options(options):
    with pytest.raises(mm.DataError, match="whole number"):
        run(work, [1], **({"seed": 1} | options))
