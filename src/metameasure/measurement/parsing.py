"""Measures as text: ``name(parameter=value, ...)@point``.

A constructor takes measures and then parameters: ``mean_over(precision@k=10)``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from typing import Any

from metameasure._text import clipped, shown
from metameasure.data import EXACT_INTEGERS
from metameasure.errors import Argument, MetameasureError, ParameterError, UnknownMeasure
from metameasure.measurement._measure import Measure
from metameasure.measurement.registry import NAME, alias, find, makers
from metameasure.table import Point

_NAME = re.compile(rf"\s*({NAME})\s*")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*([eE][-+]?\d+)?|\.\d+([eE][-+]?\d+)?|inf)(?!\w)")
MOST_BRACKETS = 50
"""Largest number of brackets in the text of a measure."""
_PARAMETER = re.compile(rf"\s*{NAME}\s*=")
_WORD = re.compile(r"\w+")
_WORDS = {"True": True, "False": False, "None": None}


def parse(text: str | Measure, argument: str = "measure") -> Measure:
    """The measure that a text stands for; an error says that it is about ``argument``.

    >>> parse("f_beta(beta=2)@top=10%")
    f_measure(beta=2)@top=10%
    """
    return text if isinstance(text, Measure) else parse_with(None, text, argument)


def parse_with(new: Measure | None, text: str, argument: str) -> Measure:
    """The measure of a text that may name a new measure, which is not yet registered."""
    try:
        return _parsed(text, new)
    except MetameasureError as error:
        raise error.about(argument) from None


def is_measure(given: Any) -> bool:
    """Whether this is a measure or its text, which may have wrong parameters."""
    try:
        parse(given)
    except UnknownMeasure:
        return False
    except ParameterError:
        return isinstance(given, str)
    return True


def _parsed(text: str, new: Measure | None) -> Measure:
    if not isinstance(text, str):
        raise ParameterError(
            f"a measure must be a str or a Measure, got {type(text).__name__}",
            remedy="pass scores of several models as a dict" if hasattr(text, "shape") else None,
        )
    body, at, point = _apart(text)
    matched = _NAME.match(body)
    if not matched:
        raise ParameterError(f"{_cut(text)} does not start with the name of a measure")
    name, rest = matched[1], body[matched.end() :].strip()
    meaning = alias(name) or name
    if rest and not (rest.startswith("(") and rest.endswith(")")):
        raise ParameterError(
            f"{_cut(text)}: expected '(parameter=value, ...)' or '@' after the name"
        )
    parts = split_outside(rest[1:-1]) if rest[1:-1].strip() else []
    if meaning in makers:
        chosen = _constructed(meaning, parts, text)
    elif new is not None and matched[1] == new.name:
        chosen = new.using(**_parameters(parts, text))
    else:
        chosen = find(name) if meaning == name else parse(meaning)
        chosen = chosen.using(**_parameters(parts, text)) if parts else chosen
    return chosen.at(Point.read(point)) if at else chosen


def parse_list(text: str | Iterable[str | Measure], argument: str = "measures") -> list[Measure]:
    """The measures of a comma-separated text, or of a list; commas in brackets do not separate."""
    if not isinstance(text, Iterable):
        got = type(text).__name__
        raise ParameterError(
            (Argument(argument), f" must be a str or a list of str and Measures, got {got}")
        )
    parts = split_outside(text) if isinstance(text, str) else list(text)
    found = dict.fromkeys(
        parse(part, argument) for part in parts if not isinstance(part, str) or part.strip()
    )
    if not found:
        raise ParameterError((Argument(argument), " is empty"), remedy="name at least one measure")
    return list(found)


def _apart(text: str) -> tuple[str, str, str]:
    """The text before the last @ outside brackets, that @ if there is one, and the text after."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += (text[place] == ")") - (text[place] == "(")
        if text[place] == "@" and depth <= 0:
            return text[:place], "@", text[place + 1 :]
    return text, "", ""


def _constructed(name: str, parts: list[str], whole: str) -> Measure:
    """The measure that a constructor makes from the measures and parameters in its brackets."""
    first = next((n for n, part in enumerate(parts) if _PARAMETER.match(part)), len(parts))
    measures = [parse(part) for part in parts[:first]]
    parameters = _parameters(parts[first:], whole)
    try:
        inspect.signature(makers[name]).bind(*measures, **parameters)
    except TypeError as error:
        takes = ", ".join(inspect.signature(makers[name]).parameters)
        raise ParameterError(
            f"{_cut(whole)}: {clipped(str(error))}", remedy=f"{name} takes {takes}"
        ) from None
    return makers[name](*measures, **parameters)


def _parameters(parts: Iterable[str], whole: str) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if not (equals and name.strip()):
            raise ParameterError(
                f"{_cut(whole)}: expected parameter=value, got {_cut(part.strip())}"
            )
        if name.strip() in given:
            raise ParameterError(f"{_cut(whole)}: {clipped(name.strip())} is given more than once")
        given[name.strip()] = _value(value.strip(), whole)
    return given


def _value(text: str, whole: str) -> Any:
    if text.startswith("(") and text.endswith(")"):
        return tuple(_value(part.strip(), whole) for part in split_outside(text[1:-1]))
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    if _NUMBER.fullmatch(text):
        number = float(text)
        integral = text.lstrip("+-").isdecimal() and abs(number) <= EXACT_INTEGERS
        return int(number) if integral else number
    if _NUMBER.fullmatch(text[:-1]) and text.endswith("%"):
        return float(text[:-1]) / 100
    if _WORD.fullmatch(text):
        return _WORDS.get(text, text)
    raise ParameterError(f"{_cut(whole)}: {_cut(text)} is not a value")


def split_outside(text: str, argument: str | None = None) -> list[str]:
    """Split at the commas that are not inside brackets."""
    if text.count("(") > MOST_BRACKETS:
        raise ParameterError(f"{_cut(text)} has more than {MOST_BRACKETS} brackets")
    parts, depth, begin = [], 0, 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            break
        if sign == "," and depth == 0:
            parts.append(text[begin:place])
            begin = place + 1
    if depth:
        raise ParameterError(f"{_cut(text)} has unbalanced brackets", argument=argument)
    return [*parts, text[begin:]]


def threshold_measure(measure: str | Measure, what: str, argument: str = "measure") -> Measure:
    """The measure, if it is one of the confusion matrix at a threshold that is not yet chosen."""
    found = parse(measure, argument)
    if found.declaration.point is None:
        raise ParameterError(
            f"{what} needs a measure of TPR, FPR and the ratio r of the classes at any threshold; "
            f"{found} needs the whole ranking or a threshold of its own",
            remedy="use one like accuracy, precision or f_measure",
            argument=argument,
        )
    if found.point != found.declaration.point:
        raise ParameterError(
            f"{what} covers all points of ROC space; {found} is taken at one of them",
            remedy=f"remove @{found.point}",
            argument=argument,
        )
    return found


def _cut(text: str) -> str:
    return shown([text])
