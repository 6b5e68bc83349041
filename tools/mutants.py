"""Small changes of a module that a test should notice, made on its syntax tree.

An operator takes a node and yields what may stand in its place, as text. A mutant is one such
replacement in the source; all other characters stay, so that lines keep their numbers.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

COMPARISONS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
ARITHMETIC = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.Pow: "*", ast.FloorDiv: "/",
    ast.Mod: "//", ast.BitAnd: "|", ast.BitOr: "&",
}  # fmt: skip
OPPOSITES = {
    "min": "max", "minimum": "maximum", "fmin": "fmax", "argmin": "argmax", "nanmin": "nanmax",
    "any": "all", "floor": "ceil", "lower": "upper", "less": "greater", "left": "right",
    "cumsum": "cumprod", "sum": "prod", "mean": "median", "cdf": "sf", "ppf": "isf",
    "zeros": "ones", "zeros_like": "ones_like",
}  # fmt: skip
OPPOSITES |= {other: one for one, other in OPPOSITES.items()}
SYMMETRIC = {
    "max", "min", "maximum", "minimum", "fmax", "fmin", "array_equal", "hypot", "isclose",
    "logical_and", "logical_or", "dot", "equal", "not_equal",
}  # fmt: skip
"""Functions whose first two arguments may change places."""
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef)
Operator = Callable[[Any], Iterator[str]]


def comparison(node: ast.AST) -> Iterator[str]:
    """A comparison with or without equality, or negated."""
    if isinstance(node, ast.Compare):
        for i, operation in enumerate(node.ops):
            parts = [ast.unparse(node.left)]
            for j, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
                sign = COMPARISONS[type(operation)] if i == j else _sign(op)
                parts.append(f"{sign} {_operand(right)}")
            yield " ".join(parts)


def _sign(op: ast.cmpop) -> str:
    return ast.unparse(ast.Compare(ast.Name("a"), [op], [ast.Name("b")]))[2:-2]


def _operand(node: ast.expr) -> str:
    text = ast.unparse(node)
    simple = isinstance(node, ast.Name | ast.Constant | ast.Call | ast.Attribute | ast.Subscript)
    return text if simple else f"({text})"


def arithmetic(node: ast.AST) -> Iterator[str]:
    """Another operation on the same two operands."""
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        if isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
            return
        yield f"{_operand(node.left)} {ARITHMETIC[type(node.op)]} {_operand(node.right)}"
    if isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
        sign = ARITHMETIC[type(node.op)]
        yield f"{ast.unparse(node.target)} {sign}= {ast.unparse(node.value)}"


def weight(node: ast.AST) -> Iterator[str]:
    """A product without the factor that is a weight."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for factor, other in ((node.left, node.right), (node.right, node.left)):
            name = getattr(factor, "id", getattr(factor, "attr", ""))
            if "weight" in name:
                yield ast.unparse(other)


def constant(node: ast.AST) -> Iterator[str]:
    """A number plus 1, the other truth value, or the opposite word."""
    if isinstance(node, ast.Constant) and not getattr(node, "is_excluded", False):
        value = node.value
        if isinstance(value, bool):
            yield str(not value)
        elif isinstance(value, int | float):
            yield repr(value + 1)
        elif isinstance(value, str) and value in OPPOSITES:
            yield repr(OPPOSITES[value])


def boolean(node: ast.AST) -> Iterator[str]:
    """`and` for `or`, `or` for `and`, and a condition without its `not`."""
    if isinstance(node, ast.BoolOp):
        sign = " or " if isinstance(node.op, ast.And) else " and "
        yield sign.join(f"({ast.unparse(value)})" for value in node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _operand(node.operand)


def condition(node: ast.AST) -> Iterator[str]:
    """A negated condition; given the expression that is tested."""
    if isinstance(node, ast.expr) and getattr(node, "is_condition", False):
        yield f"not ({ast.unparse(node)})"


def sign(node: ast.AST) -> Iterator[str]:
    """An expression without its minus."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield _operand(node.operand)


def keyword(node: ast.AST) -> Iterator[str]:
    """A call without one of its keyword arguments."""
    if isinstance(node, ast.Call):
        for i, one in enumerate(node.keywords):
            if one.arg and not getattr(one, "is_excluded", False):
                rest = [other for j, other in enumerate(node.keywords) if i != j]
                yield ast.unparse(ast.Call(node.func, node.args, rest))


def axis(node: ast.AST) -> Iterator[str]:
    """A call along the first axis, or along the last instead of the first."""
    if isinstance(node, ast.Call):
        for i, one in enumerate(node.keywords):
            if one.arg == "axis":
                other = ast.keyword(
                    "axis", ast.Constant(-1 if ast.unparse(one.value) == "0" else 0)
                )
                words = [other if i == j else word for j, word in enumerate(node.keywords)]
                yield ast.unparse(ast.Call(node.func, node.args, words))


def swapped(node: ast.AST) -> Iterator[str]:
    """A call whose first two arguments change places, where that may matter."""
    if isinstance(node, ast.Call) and len(node.args) > 1:
        first, second, *rest = node.args
        starred = isinstance(first, ast.Starred) or isinstance(second, ast.Starred)
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        # np.clip(x, low, high) is the smaller of high and the larger of x and low.
        symmetric = name in SYMMETRIC or (name == "clip" and len(rest) == 1)
        if not starred and not symmetric and ast.dump(first) != ast.dump(second):
            yield ast.unparse(ast.Call(node.func, [second, first, *rest], node.keywords))


def opposite(node: ast.AST) -> Iterator[str]:
    """The opposite function: `max` for `min`, `all` for `any`."""
    if isinstance(node, ast.Call):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in OPPOSITES:
            if isinstance(node.func, ast.Name):
                func: ast.expr = ast.Name(OPPOSITES[name])
            else:
                func = ast.Attribute(node.func.value, OPPOSITES[name])
            yield ast.unparse(ast.Call(func, node.args, node.keywords))


def statement(node: ast.AST) -> Iterator[str]:
    """Nothing instead of a statement that changes something."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.YieldFrom):
        yield "pass"
    if isinstance(node, ast.AugAssign):
        yield "pass"
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        before = {name.id for name in ast.walk(node.value) if isinstance(name, ast.Name)}
        if isinstance(target, ast.Subscript) or getattr(target, "id", None) in before:
            yield "pass"


def jump(node: ast.AST) -> Iterator[str]:
    """`break` for `continue`, and `continue` for `break`."""
    if isinstance(node, ast.Break):
        yield "continue"
    if isinstance(node, ast.Continue):
        yield "break"


OPERATORS: tuple[Operator, ...] = (
    comparison, arithmetic, weight, constant, boolean, condition, sign, keyword, axis, swapped,
    opposite, statement, jump,
)  # fmt: skip


@dataclass(frozen=True)
class Excluded:
    """What is not mutated, by name."""

    functions: frozenset[str] = frozenset()
    keywords: frozenset[str] = frozenset()
    defaults: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    sizes: frozenset[str] = frozenset()
    resolutions: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Mutant:
    """One change of one module.

    Attributes:
        file: the path of the module in the project.
        scope: the dotted name of the function or class around the change; empty at the top.
        line: the number of its first line, which may change; all else identifies the mutant.
        place: the number of the change among equal ones in its scope.
        operator: the name of the operator.
        text: the first line, stripped.
        before, after: the text that is replaced, and by what.
    """

    file: str
    scope: str
    line: int
    place: int
    operator: str
    text: str
    before: str
    after: str
    span: tuple[int, int] = field(compare=False, repr=False)

    @property
    def key(self) -> str:
        """A short name that stays the same while the function does."""
        parts = (self.file, self.scope, self.operator, self.text, self.before, self.after)
        return hashlib.sha256("\0".join((*parts, str(self.place))).encode()).hexdigest()[:12]

    def applied_to(self, source: str) -> str:
        """The source with the change."""
        data, (begin, end) = source.encode(), self.span
        return (data[:begin] + self.after.encode() + data[end:]).decode()


def mutants_of(source: str, file: str, excluded: Excluded) -> Iterator[Mutant]:
    """All mutants of a module, from the top to the bottom."""
    lines = source.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    data, seen = source.encode(), dict[tuple[str, ...], int]()
    for node, scope in _below(ast.parse(source), "", excluded):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        before = data[begin:end].decode()
        text = lines[node.lineno - 1].decode().strip()
        for operator in OPERATORS:
            for change in operator(node):
                # A change may not bind less tightly than what it replaces.
                after = f"({change})" if isinstance(node, ast.expr) else change
                parts = (scope, operator.__name__, text, before, after)
                seen[parts] = seen.get(parts, -1) + 1
                mutant = Mutant(
                    file, scope, node.lineno, seen[parts], *parts[1:], span=(begin, end)
                )
                yield mutant


def _below(node: ast.AST, scope: str, excluded: Excluded) -> Iterator[tuple[Any, str]]:
    """The nodes that may be changed, each with its scope."""
    for child in _children(node, excluded):
        inner = scope
        if isinstance(child, (*SCOPES, ast.ClassDef)):
            if child.name in excluded.functions:
                continue
            inner = f"{scope}.{child.name}".lstrip(".")
        elif isinstance(child, ast.expr | ast.stmt):
            yield child, scope
        yield from _below(child, inner, excluded)


def _children(node: ast.AST, excluded: Excluded) -> Iterator[ast.AST]:
    """The parts of a node that may be changed or have such parts."""
    if isinstance(node, ast.JoinedStr):
        return
    tested = getattr(node, "test", None)
    conditions = [] if tested is None else [tested]
    conditions += getattr(node, "ifs", [])
    for one in conditions:
        one.is_condition = True
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "type_comment"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_excluded(child, excluded):
                yield child


def _is_excluded(node: ast.AST, excluded: Excluded) -> bool:  # noqa: PLR0911 - one per kind
    match node:
        case ast.Raise() | ast.Assert() | ast.Import() | ast.ImportFrom() | ast.JoinedStr():
            return True
        case ast.Expr(value=ast.Constant()):
            return True  # a docstring
        case ast.Expr(value=ast.Call() as call):
            return _is_excluded(call, excluded)
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.keyword(arg="axis"):
            return True  # it has its own operator
        case ast.keyword(arg=str(name)) if name in excluded.keywords:
            node.is_excluded = True  # type: ignore[attr-defined]
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            _mark_keywords(node, name, excluded)
            if name == "reshape":
                _mark_unknown_lengths(node)
            return name in excluded.calls
        case ast.Compare() | ast.BoolOp():
            return bool(_names(node) & excluded.sizes)
        case ast.Assign() | ast.AnnAssign():
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            stored = {name for target in targets for name in _names(target)}
            return bool(stored & (excluded.sizes | excluded.resolutions))
    return False


def _mark_keywords(node: ast.Call, name: str, excluded: Excluded) -> None:
    for one in node.keywords:
        repeated = f"{name}({ast.unparse(one)})" in excluded.defaults
        if one.arg in excluded.keywords or repeated:
            one.is_excluded = True  # type: ignore[attr-defined]


def _mark_unknown_lengths(node: ast.Call) -> None:
    """NumPy takes any negative length for the unknown one."""
    for length in node.args:
        if isinstance(length, ast.UnaryOp) and isinstance(length.operand, ast.Constant):
            length.operand.is_excluded = True  # type: ignore[attr-defined]


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
