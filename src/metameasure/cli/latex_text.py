"""Formulas for a terminal: the little LaTeX that declarations use, as readable text."""

from __future__ import annotations

import re

_SIGNS = {
    "alpha": "α", "beta": "β", "pi": "π", "tau": "τ", "sum": "Σ", "int": "∫", "cdot": "·",
    "in": " ∈ ", "le": "≤", "max": "max", "min": "min", "ln": "ln ", "log": "log", ";": " ",
    ",": " ",
}  # fmt: skip
_AROUND = {"sqrt": "√", "bar": "mean"}
_TOKEN = re.compile(r"\\([A-Za-z]+|[;,])|([{}])|([_^])|([^\\{}_^]+)")


def readable(formula: str) -> str:
    r"""The formula as text.

    >>> readable(r"\frac{1}{K} \sum_{k=1}^{K-1} (TPR_k - FPR_k)")
    '1/K Σ[k=1..K-1] (TPR_k - FPR_k)'
    """
    text, rest = _group(_TOKEN.findall(formula))
    return re.sub(r"\s+", " ", text).strip() if not rest else formula


_Tokens = list[tuple[str, str, str, str]]


def _group(tokens: _Tokens) -> tuple[str, _Tokens]:
    """The text up to the end of the group, and the tokens after it."""
    text = ""
    while tokens and tokens[0][1] != "}":
        part, tokens = _item(tokens)
        text += part
    return text, tokens


def _item(tokens: _Tokens) -> tuple[str, _Tokens]:
    (command, brace, script, plain), tokens = tokens[0], tokens[1:]
    if brace:
        text, tokens = _group(tokens)
        return text, tokens[1:]
    if script:
        return _script(script, tokens)
    if command == "frac":
        above, tokens = _item(tokens)
        below, tokens = _item(tokens)
        return f"{_atom(above)}/{_atom(below)}", tokens
    if command in _AROUND:
        text, tokens = _item(tokens)
        return f"{_AROUND[command]}({text})", tokens
    if command in {"sum", "int", "min", "max"}:
        return _limits(_SIGNS[command], tokens)
    return (_SIGNS.get(command, command) if command else plain), tokens


def _script(sign: str, tokens: _Tokens) -> tuple[str, _Tokens]:
    """A subscript or power: of bare text only the first letter belongs to it."""
    if plain := tokens[0][3]:
        left = [("", "", "", plain[1:])] if plain[1:] else []
        return f"{sign}{plain[0]}", [*left, *tokens[1:]]
    text, tokens = _item(tokens)
    return (f"{sign}{text}" if len(text) == 1 else f"{sign}({text})"), tokens


def _atom(text: str) -> str:
    """A part of a fraction, in brackets unless it is one word."""
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def _limits(sign: str, tokens: _Tokens) -> tuple[str, _Tokens]:
    """A sum or its like with its limits in square brackets."""
    limits = []
    while tokens and tokens[0][2]:
        text, tokens = _item(tokens)
        limits.append(text[1:].removeprefix("(").removesuffix(")"))
    return (f"{sign}[{'..'.join(limits)}]" if limits else sign), tokens
