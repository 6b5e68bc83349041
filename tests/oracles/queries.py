"""Means over groups by their definition: group by group, every group counting once."""

from collections.abc import Callable, Hashable, Sequence

from .cuts import Case, Value


def by_group(
    groups: Sequence[Hashable], cases: Sequence[Case], value: Callable[[Sequence[Case]], Value]
) -> dict[Hashable, Value]:
    """The value on the cases of each group that has weight, in the order of the names."""
    members: dict[Hashable, list[Case]] = {}
    for group, case in zip(groups, cases, strict=True):
        if case[2] > 0:
            members.setdefault(group, []).append(case)
    return {group: value(members[group]) for group in sorted(members)}


def mean_over(values: Sequence[Value]) -> Value:
    """The mean of those that are defined; None if there are none."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
