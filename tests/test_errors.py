"""Errors are data: problem, remedy and argument, which each surface words in its own way."""

import pickle

import pytest

import metameasure as mm
from metameasure.errors import Argument, MetameasureError, Wording, naming


def error():
    return mm.DataError(
        ("2 values of ", Argument("y_score"), " are missing"),
        remedy=("pass ", Argument("nan_policy", "drop"), " or see ", Wording("mm.x()", "x")),
    )


def test_python_words_an_error():
    found = error()
    assert found.problem == "2 values of y_score are missing"
    assert found.remedy == 'pass nan_policy="drop" or see mm.x()'
    assert str(found) == f"{found.problem}; {found.remedy}"
    assert str(mm.DataError("no cases")) == "no cases"


def test_another_surface_words_it_otherwise():
    def word(part):
        return part.command if isinstance(part, Wording) else f"--{part.name}"

    assert error().worded(word) == "2 values of --y_score are missing; pass --nan_policy or see x"


def test_the_argument_at_fault_is_the_first_that_the_problem_names():
    assert error().argument == "y_score"
    assert mm.DataError("no cases").argument is None
    assert mm.DataError("no cases", remedy=("pass ", Argument("label"))).argument is None
    assert mm.DataError(("bad ", Argument("a")), argument="b").argument == "b"


@pytest.mark.parametrize("kind", [mm.DataError, mm.ParameterError, mm.UnknownMeasure])
def test_an_error_comes_back_from_a_worker_process(kind):
    sent = kind(("bad ", Argument("beta", -1)), remedy="use 0", argument="measures")
    found = pickle.loads(pickle.dumps(sent))  # noqa: S301 - our own
    assert type(found) is kind
    assert (found.problem, found.remedy, found.argument) == ("bad beta=-1", "use 0", "measures")
    assert str(found) == str(sent)
    assert isinstance(found, MetameasureError)


def test_a_caller_names_arguments_as_its_own():
    with pytest.raises(mm.DataError) as caught, naming({"y_score": "score", "nan_policy": "nan"}):
        raise error()
    assert str(caught.value) == '2 values of score are missing; pass nan="drop" or see mm.x()'
    assert caught.value.argument == "score"
    with pytest.raises(mm.DataError) as caught, naming({"group": "folds"}):
        raise mm.DataError("there is no column 'zz'", argument="group")
    assert (str(caught.value), caught.value.argument) == ("there is no column 'zz'", "folds")


def test_builtin_bases():
    assert issubclass(mm.DataError, ValueError)
    assert issubclass(mm.ParameterError, ValueError)
    assert issubclass(mm.UnknownMeasure, LookupError)
    assert not issubclass(mm.UnknownMeasure, ValueError)
