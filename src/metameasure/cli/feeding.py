"""Options that several commands have, declared once."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


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

        merged = {**more, **own}
        del merged[name]
        taking.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            sorted(merged.values(), key=lambda option: option.default is not option.empty)
        )
        taking.__annotations__ = {name: option.annotation for name, option in merged.items()}
        return taking

    return merge
