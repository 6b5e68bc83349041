"""Options with several words: ``--proba cat dog fox``."""

from __future__ import annotations

import re
from pathlib import Path

OPTION = re.compile(r"-(?![\d.]|$)")
"""How an option begins; standard input and negative numbers are none."""
SEVERAL = ("--proba", "--labels")
"""The options that take all words up to the next option."""
FLAGS = ("--no-ci", "--stratified")
"""The options of the same commands that take none."""
GROUPS = ("lab", "plot")
"""The words after which another one belongs to the command."""


def spread(arguments: list[str]) -> list[str]:
    """The words of a command, each option before each of its words, as typer understands it.

    If no file is named elsewhere, the last word of such an option is one if it looks like it.

    >>> spread(["evaluate", "k.csv", "--proba", "cat", "dog"])
    ['evaluate', 'k.csv', '--proba', 'cat', '--proba', 'dog']
    >>> spread(["evaluate", "--proba", "cat", "dog", "k.csv"])
    ['evaluate', '--proba', 'cat', '--proba', 'dog', 'k.csv']
    >>> spread(["plot", "confusion", "--labels", "cat", "dog", "k.csv"])
    ['plot', 'confusion', '--labels', 'cat', '--labels', 'dog', 'k.csv']
    """
    found: list[str] = []
    ends: dict[int, int] = {}
    option, words, bare = "", 0, 0
    for place, word in enumerate(arguments):
        if OPTION.match(word):
            option, words = word, 0
            found.append(word)
            continue
        words += 1
        belongs = _takes(option, words)
        bare += not belongs
        if belongs and words > 1:
            found.append(option)
            ends[place - words] = len(found)
        found.append(word)
    command = 2 if arguments[:1] and arguments[0] in GROUPS else 1
    files = [end for end in ends.values() if _looks_like_a_file(found[end])]
    if bare <= command and files:
        del found[files[-1] - 1]
    return found


def _takes(option: str, words: int) -> bool:
    """Whether the last of so many words after an option is its own."""
    if option in SEVERAL:
        return True
    return bool(option) and option not in FLAGS and "=" not in option and words == 1


def _looks_like_a_file(word: str) -> bool:
    try:
        return Path(word).exists() or bool(Path(word).suffix)
    except OSError:
        # No file has so long a name.
        return False
