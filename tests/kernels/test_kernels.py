"""Every kernel has a twin, with the same name and the same arguments."""

import inspect

import pytest

from metameasure.kernels import compiled, plain


def public(module):
    """The functions that a module declares for others, as they were before they were compiled."""
    found = {name: getattr(f, "py_func", f) for name, f in vars(module).items() if name[0] != "_"}
    return {
        name: function
        for name, function in found.items()
        if inspect.isfunction(function) and function.__module__ == module.__name__
    }


def test_both_modules_have_the_same_names():
    assert set(public(plain)) == set(public(compiled))


@pytest.mark.parametrize("name", public(plain))
def test_twins_take_and_give_the_same(name):
    one, other = (inspect.signature(public(module)[name]) for module in (plain, compiled))
    assert one == other
