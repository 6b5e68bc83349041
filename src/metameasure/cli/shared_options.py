"""Options that several commands have, declared once."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def fed_by(
    source: Callable[..., Any], name: str
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A command that takes the options of ``source``, in the place of one of its arguments.

    What the source makes of them is that argument.
    """

    def merge(command: Callable[..., Any]) -> Callable[..., Any]:
        own, more = (inspect.signature(f, eval_str=True).parameters for f in (command, source))

        @functools.wraps(command)
        def taking(**given: Any) -> Any:
            chosen = {option: given.pop(option) for option in more}
            return command(**given, **{name: source(**chosen)})

        merged: dict[str, inspect.Parameter] = {}
        for option, declared in own.items():
            merged |= more if option == name else {option: declared}
        # By keyword only: an option that must be given may then stand behind one that need not.
        options = [option.replace(kind=option.KEYWORD_ONLY) for option in merged.values()]
        taking.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
        taking.__annotations__ = {name: option.annotation for name, option in merged.items()}
        return taking

    return merge


def redeclared(
    source: Callable[..., Any], options: Mapping[str, tuple[Any, Any]], **fixed: Any
) -> Callable[..., Any]:
    """The same source for another command: some options have other types and defaults there.

    Arguments that are fixed are no options.
    """
    known = inspect.signature(source, eval_str=True).parameters

    @functools.wraps(source)
    def taking(**given: Any) -> Any:
        return source(**given, **fixed)

    kept = {name: declared for name, declared in known.items() if name not in fixed}
    for name, (kind, default) in options.items():
        kept[name] = kept[name].replace(annotation=kind, default=default)
    taking.__signature__ = inspect.Signature(list(kept.values()))  # type: ignore[attr-defined]
    return taking
