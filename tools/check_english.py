"""Find wording that the project avoids: British spellings, paraphrases of the field's own words.

`python tools/check_english.py [FILE ...]` prints every hit with what to write instead, and fails if
there is one. A line that ends with the comment `english: ok` is left alone.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
PLACES = (
    *("src", "tests", "docs", "tools", "benchmarks"),
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md"),
)
KINDS = {".py", ".md"}
OWN = {"check_english.py", "test_project_checks.py"}
"""Files that list wording to avoid."""
ALLOWED = ("english: ok", "- Reference: ")
"""Lines with one of these are left alone: exceptions, and titles of papers in generated pages."""

KEPT = """
    adv dem erc esp exc hem nch no nr onc pr ra rad rec rem rom rt superv treat v w
"""
"""Ends of the stems before -ise that are right in American English: advise, exercise, noise."""
UNIT = """
    axis|block|bootstrap|case|cell|class|cluster|column|command|core|curve|cut|display|draw|engine|
    fold|group|inch|item|label|level|line|list|measure|method|model|page|pair|panel|picture|point|
    positive|query|record|resample|row|run|sample|score|size|subject|table|task|test|thread|
    threshold|worker
"""
COUNTED = """
    axis|bar|bit|block|byte|case|cell|column|count|curve|dot|file|fold|interval|key|label|line|list|name|number|
    page|pair|panel|pass|place|point|process|read|row|score|seed|series|sort|stroke|table|task|
    thread|tick|value|weight|window
"""
THING = """
    array|class|column|count|curve|file|folder|frame|label|level|list|matrix|measure|method|model|
    name|number|path|probability|probabilitie|score|straight|substitute|table|text|threshold|value|
    word
"""
WORDING = {
    rf"\b[a-z]{{3,}}{''.join(f'(?<!{end})' for end in KEPT.split())}"
    r"is(?:e|ed|es|er|ers|ing|ation|ations|able)(?![a-z])": "American spelling: -ize, -ization",
    r"\w*colour\w*": "color",
    r"(?:behavi|fav|flav|neighb|hon|lab|rig|vap)our\w*": "American spelling: -or",
    r"(?:label|model|cancel|level|signal|total|travel)l(?:ed|ing)\b": "American spelling: one l",
    r"\bcentred?\b|\bcentres\b": "center",
    r"\bgrey\b": "gray",
    r"\banalys(?:e|ed|ing)\b": "analyze",
    r"\b(?:mis)?spelt\b": "spelled, misspelled",
    r"\bartefacts?\b|\bwhilst\b|\blearnt\b|\bjudgement": "American spelling",
    r"\bcatalogue|\btowards\b|\bamongst\b|\blicence\b|\bfulfils?\b": "American spelling",
    r"\bper cent\b": "percent, %",
    r"\bso (?:many|few|much)\b": "the number, or: this many",
    r"\bas (?:many|few) (?:\w+ )?as\b|\bmust be as many\b": "the same number of, up to",
    rf"\b(?:one|an?|two|three|\d+) (?:\w+ )?(?:{COUNTED})s? an? (?:{UNIT})\b": "per",
    r"\bstands? (?:twice|there|alone)\b": "duplicate, present, only",
    r"\bby lot\b|\bdealt out\b|\bfair coin\b": "at random",
    r"\bhow sure\b|\bsurer\b|\bhow surely\b|\bsureness\b": "uncertainty, confidence interval",
    r"\bsays? which\b": "show, name, state",
    r"\bidle\b": "has no effect, unused",
    r"\b(?:told|tells?|telling) (?:\w+ )?apart\b": "distinguish, discriminating",
    r"\bfor want of\b": "without, when there are no",
    r"[\d}] %(?! ?[\d(])": "a percent sign follows the number without a space",
    r"\bmend(?:s|ed|ing)?\b": "fix",
    r"\b(?:give|pass) (?:it|them) alone\b": "pass either ... or ..., not both",
    rf"(?<!there\s)\b(?:is|are|was|were) no (?:{THING})s?\b": "is not a",
    r"\b(?:knows?|wants?) no\b": "does not support, does not accept",
    r"\b(?:says?|tells?|means?) nothing\b": "is not informative, has no effect",
    r"\bhardly any": "almost no",
    r"\bmillion million\b": "trillion",
    r"\b(?:these|those|that|this|the) very\b": "the same",
    r"\bnone the worse\b|\bnext to nothing\b": "no worse, almost nothing",
    r"\bless (?:\d+|one|two|that of|those of)\b": "minus",
    r"\b(?:must|needs? to) be told\b|\bunless told\b": "needs ..., by default",
    r"\bwithout end\b": "without bound",
    r"\bis not for \w+:|\bis not known:": "does not apply to ..., cannot ...",
    r"\bleave (?:it|them|that|this) out\b|\bleave out that\b": "drop, remove, use ...",
    r"\bsay it with\b|\bof another one\b": "use ...",
    r"\bas (?:labels|probabilities|scores) the\b": "the scores are not ...",
    r"\bshares? (?:its|their) \w+ with one\b": "tied with",
    r"\bnot certainty\b": "zero width does not mean certainty",
    r"\b(?:can|could|may) be it\b": "inferred when unambiguous",
    r"\bagain for (?:each|every)\b": "repeatable",
    r"\b(?:class|column|one|order|value)s? meant\b": "in column order",
    r"\bwith (?:commas|spaces) between them\b": "comma-separated",
    r"\b(?:dots|pixels) an?\b": "per",
    r"\bscored alike\b": "constant score",
    r"\bby (?:its|their) places?\b": "by rank, by position",
    r"\b(?:better|larger|less|more|worse) by [\w.]+ or more\b": "by at least",
    r"\bcannot (?:know|say|tell)\b": "not significant, cannot be determined",
    r"\b(?:told|said)\b|(?<!make\s)(?<!makes\s)\bsure\b": "reported, decided, certain, significant",
    r"\bhas a taste\b|\bhonest\b|\bopenly\b": "plain words",
    # Not the names of functions, arguments and parameters, which other libraries have, too.
    r"(?<![\w.`/\"])(?<!import\s)metrics?\b(?![.\w(=\"])": "measure",
}
SPACE = r"(?:[ \t]+|[ \t]*\n[ \t]*#?[ \t]*)"
"""A space in a pattern: also a line break, but not an empty line."""
PATTERNS = [
    (re.compile(SPACE.join(re.sub(r"\n\s+", "", wording).split(" ")), re.IGNORECASE), advice)
    for wording, advice in WORDING.items()
]


def hits(text: str) -> Iterator[tuple[int, str, str]]:
    """The line number, the words and the advice for each hit in a text and in the names in it."""
    lines = text.splitlines()
    text = text.replace("_", " ")
    for pattern, advice in PATTERNS:
        for match in pattern.finditer(text):
            number = text.count("\n", 0, match.start()) + 1
            if not any(mark in lines[number - 1] for mark in ALLOWED):
                yield number, " ".join(match[0].split()), advice


def _files(places: list[str]) -> Iterator[Path]:
    for place in places or [ROOT / name for name in PLACES]:
        path = Path(place)
        every = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (p for p in every if p.suffix in KINDS and p.name not in OWN)


def main(places: list[str]) -> int:
    found = [
        f"{path}:{number}: {words!r}: {advice}"
        for path in _files(places)
        for number, words, advice in sorted(hits(path.read_text(encoding="utf-8")))
    ]
    print(*found, f"{len(found)} hits", sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
