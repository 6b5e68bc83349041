"""Studies in several processes: the same rows anywhere, errors and own measures included."""

import os
import signal
import time
from contextlib import closing

import joblib
import numpy as np
import pytest
from joblib.externals.loky import get_reusable_executor
from joblib.parallel import LokyBackend

import metameasure as mm
from metameasure import lab
from metameasure.lab import parallel
from metameasure.lab.parallel import run


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
    reported = []
    run(work, list(range(5)), seed=1, workers=1, progress=reported.append)
    assert reported == [0.2, 0.4, 0.6, 0.8, 1.0]


def test_a_task_that_fails_is_an_error_in_words():
    with pytest.raises(mm.DataError, match="makes no sense"):
        run(fail, [1, 2, 3], seed=1, workers=2)


def sleep_long(task, rng):
    """A task that ends soon if it is the first."""
    time.sleep(600 if task else 0)


def test_a_study_that_is_left_ends_its_workers_without_a_warning():
    seeds = np.random.SeedSequence(1).spawn(4)
    with closing(parallel.stream(sleep_long, range(4), seeds, workers=2)) as ended:
        assert next(ended) == (0, None)
    assert study(workers=2) == study(workers=1)


def test_own_measures_are_known_in_other_processes():
    @mm.measure(best="max", range=(0, 1), invariant_to=("monotone",), undefined="a class is empty")
    def halved_auc(table):
        """Half the AUC."""
        return mm.auc.compute(table) / 2

    rows = lab.robustness(
        "replaced_scores", "labels", [0.3], [halved_auc, "auc"], 400, workers=2
    ).rows
    assert rows[0].error_rate == rows[1].error_rate


def test_own_measures_may_be_declared_again():
    def judged(sign):
        @mm.measure(best="max", range=(-1, 1), undefined="a class is empty")
        def signed_auc(table):
            """The AUC, or its opposite."""
            return sign * mm.auc.compute(table)

        found = (
            lab.robustness("replaced_scores", "labels", [0.1], [signed_auc], 400, workers=workers)
            for workers in (1, 2)
        )
        return [result.rows[0].error_rate for result in found]

    alone, together = judged(1)
    assert alone == together
    turned, turned_together = judged(-1)
    assert turned == turned_together != alone


def hears_ctrl_c(*_):
    """Which process this is, and whether Ctrl-C ends what it does."""
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        return os.getpid(), True
    return os.getpid(), False


def test_workers_hear_ctrl_c_before_and_after_a_study():
    get_reusable_executor().shutdown()  # what other tests left
    own = [joblib.delayed(hears_ctrl_c)() for _ in range(20)]
    before = dict(joblib.Parallel(n_jobs=2)(own))
    during = dict(run(hears_ctrl_c, list(range(20)), seed=1, workers=2))
    after = dict(joblib.Parallel(n_jobs=2)(own))
    assert set(during.values()) == {False}
    assert set(after.values()) == set(before.values())


def process(*_):
    """Which process this is."""
    return os.getpid()


def test_studies_share_their_workers():
    first, second = (set(run(process, list(range(20)), seed=1, workers=2)) for _ in range(2))
    assert first & second


def begin():
    """What a user's worker process does first."""
    os.environ["BEGUN"] = "by the user"


def begun(*_):
    """How this process began."""
    return os.environ.get("BEGUN")


class Begun(LokyBackend):
    """Workers of a class of the user's own."""

    def configure(self, **options):
        return super().configure(initializer=begin, **options)


@pytest.mark.parametrize(
    "backend",
    [{"backend": "loky", "initializer": begin}, {"backend": Begun()}],
    ids=["option", "class"],
)
def test_the_user_may_begin_workers_in_another_way(backend):
    with joblib.parallel_config(**backend, n_jobs=2):
        assert set(run(begun, list(range(4)), seed=1)) == {"by the user"}
    assert set(run(begun, list(range(4)), seed=1, workers=2)) == {None}


def test_ctrl_c_does_what_it_did_after_a_quiet_moment(monkeypatch):
    heard = []
    monkeypatch.setattr(parallel, "QUIET", 0.1)
    before = signal.signal(signal.SIGINT, lambda *_: heard.append("first"))
    own = signal.getsignal(signal.SIGINT)
    elsewhere = os.getpid() + 1
    try:
        for task in range(3):
            parallel._perform(None, elsewhere, hears_ctrl_c, 0, task, np.random.SeedSequence(1))
            signal.raise_signal(signal.SIGINT)
        assert not heard
        time.sleep(parallel.QUIET)
        signal.raise_signal(signal.SIGINT)
        assert heard == ["first"]
        assert signal.getsignal(signal.SIGINT) is own
        parallel._perform(None, os.getpid(), hears_ctrl_c, 0, 1, np.random.SeedSequence(1))
        assert heard == ["first"] * 2
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("options", [{"seed": -1}, {"workers": 0}, {"workers": 1.5}])
def test_bad_options(options):
    with pytest.raises(mm.ParameterError, match=r"(seed|workers) must be an integer >= .*, got "):
        run(work, [1], **({"seed": 1} | options))
