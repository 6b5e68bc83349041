"""The number of ranked lists with a given AUC and a given number of positives above the cut.

The number of correctly ordered pairs of a list is the size of a partition in a box. So lists are
counted by Gaussian binomial coefficients: of the part above the cut, of the part below it, and the
pairs across. Nothing is enumerated, and all counts are integers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from metameasure.inference import Progress


class Cells(NamedTuple):
    """Kinds of lists: correctly ordered pairs, positives above the cut, and number of lists."""

    right: NDArray[np.int64]
    above: NDArray[np.int64]
    lists: NDArray[Any]


def list_counts(
    positives: int, negatives: int, cut: int, progress: Progress | None = None
) -> Cells:
    """All ranked lists of some positives and negatives, grouped by kind."""
    n = positives + negatives
    # A polynomial is packed into one integer: each coefficient can hold the number of lists.
    width = -(-(n + 1) // 8) * 8
    hits = range(max(0, cut - negatives), min(cut, positives) + 1)
    upper = _triangle_row(cut, width, hits)
    lower = upper
    if cut != n - cut:
        lower = _triangle_row(n - cut, width, [positives - found for found in hits])
    products: dict[tuple[int, int], int] = {}
    right, above, count = [], [], []
    for found in hits:
        rest = positives - found
        product = products.pop((rest, found), None) if upper is lower else None
        if product is None:
            product = products[found, rest] = upper[found] * lower[rest]
        inside = found * (cut - found) + rest * (n - cut - rest)
        # A positive above the cut is correctly ordered with every negative below it.
        across = found * (negatives - (cut - found))
        right.append(across + np.arange(inside + 1))
        above.append(np.full(inside + 1, found))
        count += _unpacked(product, inside + 1, width)
        if progress:
            progress((found - hits.start + 1) / len(hits))
    return Cells(np.concatenate(right), np.concatenate(above), np.array(count, dtype=object))


def _triangle_row(n: int, width: int, wanted: Iterable[int]) -> dict[int, int]:
    """The requested Gaussian binomials [n, k], packed: [n, k] = [n-1, k-1] + q^k [n-1, k].

    [n, k] = [n, n-k]: one integer serves both, as Python squares faster than it multiplies.
    """
    smaller = {k: min(k, n - k) for k in wanted}
    most = max(smaller.values())
    row = [1]
    for _ in range(n):
        shifted = [value << (width * k) for k, value in enumerate(row)]
        row = [a + b for a, b in zip([*shifted, 0], [0, *row], strict=True)][: most + 1]
    return {k: row[least] for k, least in smaller.items()}


def _unpacked(packed: int, terms: int, width: int) -> list[int]:
    size = width // 8
    content = packed.to_bytes(terms * size, "little")
    return [int.from_bytes(content[k * size : (k + 1) * size], "little") for k in range(terms)]
