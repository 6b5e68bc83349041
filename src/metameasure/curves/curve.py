"""The points of a curve, in order of decreasing threshold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from metameasure._arguments import Real, read_argument
from metameasure.curves import interpolation
from metameasure.errors import Argument, DataError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from metameasure._types import Floats


Between = Literal["line", "step", "riser", "hyperbola", "lift", "odds"]
"""The interpolation between two points.

A straight line ("line"); the value of the left ("step") or of the right point ("riser"); the
precision, or the lift, while both classes grow in proportion ("hyperbola", "lift"); or the net
benefit of the same cases at other odds ("odds").
"""


@dataclass(frozen=True, eq=False)
class Curve:
    """The points of a curve, or with leading axes, of a block of curves.

    Attributes:
        name: the kind of curve.
        x: x of each point, increasing or decreasing.
        y: y of each point.
        threshold: the threshold of each point (positive if score >= threshold); infinite at the
            first. None if points have no threshold.
        labels: axis labels of x and y.
        between: the interpolation between points.
        others: further lines over the same x, by name.
        counts: true and false positives at each point, if the interpolation needs them.
        first: whether the first, not the last, of several points with the same x counts.
        domain: the range of x, if it is wider than that of the points.
    """

    name: str
    x: Floats
    y: Floats
    threshold: Floats | None = None
    labels: tuple[str, str] = ("x", "y")
    between: Between = "line"
    others: Mapping[str, Floats] = field(default_factory=dict)
    counts: tuple[Floats, Floats] | None = field(default=None, repr=False)
    first: bool = False
    domain: tuple[float, float] | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the leading axes: ``()`` for one curve."""
        return np.broadcast_shapes(self.x.shape, self.y.shape)[:-1]

    def area(self, line: str | None = None) -> Any:
        """The area under the curve, or under another of its lines, over its domain.

        A float, or an array for a block.

        >>> from metameasure.curves import roc
        >>> roc([1, 0, 1, 0, 1], [0.9, 0.5, 0.5, 0.2, 0.1]).area()
        0.583333...
        """
        heights = self._line(line)
        if self.between == "odds" or (self.domain and not np.isfinite(self.domain).all()):
            raise DataError(f"{self.name} has no area: its x is not bounded")
        with np.errstate(invalid="ignore", divide="ignore"):
            if self.between == "hyperbola" and self.counts:
                area = interpolation.area_of_hyperbolas(*self.counts)
            elif self.between == "lift":
                area = interpolation.area_of_lift(self.x, heights)
            else:
                area = interpolation.area(self.x, heights, self.between)
            if self.domain:
                # The curve is constant beyond its first and its last point.
                low, high = self.domain
                area = area + (self.x[..., 0] - low) * heights[..., 0]
                area = area + (high - self.x[..., -1]) * heights[..., -1]
        return float(area) if area.ndim == 0 else area

    def at(self, x: ArrayLike, line: str | None = None) -> Any:
        """The value of the curve, or of another of its lines, at one or several x.

        Where the curve is vertical, its best point counts. For a block, the values of each curve
        are along the last axis.

        >>> from metameasure.curves import roc
        >>> roc([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1]).at([0.0, 0.25, 1.0])
        array([0.5 , 0.75, 1.  ])
        """
        heights = self._line(line)
        try:
            wanted = np.asarray(x, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ParameterError((Argument("x"), f" must be real numbers: {error}")) from None
        low, high = self.domain or (np.fmin.reduce(self.x, None), np.fmax.reduce(self.x, None))
        # Where the points of a curve are undefined, its values are, too.
        slack = interpolation.SLACK
        wrong = wanted[(wanted < low - slack) | (wanted > high + slack) | np.isnan(wanted)]
        if wrong.size:
            read_argument("x", float(wrong[0]), Real(float(low), float(high), infinite=True))
        asked = wanted.reshape(-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            if self.between == "odds" and self.counts:
                found = interpolation.net_benefit_at(self.x, *self.counts, asked, line)
            elif self.between == "hyperbola" and self.counts:
                found = interpolation.precision_at(self.x, *self.counts, asked)
            elif self.between == "lift" and self.counts:
                found = interpolation.lift_at(self.x, *self.counts, asked)
            else:
                found = interpolation.heights_at(
                    self.x, heights, asked, self.between, first=self.first
                )
        shaped = found.reshape((*found.shape[:-1], *wanted.shape))
        return float(shaped) if shaped.ndim == 0 else shaped

    def _line(self, line: str | None) -> Floats:
        if line is None:
            return self.y
        if not isinstance(line, str) or line not in self.others:
            known = ", ".join(self.others) or "none"
            raise ParameterError(
                f"{self.name} has no line {line!r}; it has {known}", argument="line"
            )
        return self.others[line]

    def frame(self) -> Any:
        """A polars data frame with the threshold, x, y and the other lines at each point."""
        import polars as pl  # noqa: PLC0415

        points = {"x": self.x, "y": self.y, **self.others}
        if self.threshold is not None:
            points = {"threshold": self.threshold, **points}
        size = max(self.x.shape[-1], self.y.shape[-1])
        full = (*self.shape, size)
        shaped = {name: np.broadcast_to(a, full).reshape(-1) for name, a in points.items()}
        curves = int(np.prod(self.shape, dtype=np.int64))
        block = {"curve": np.repeat(np.arange(curves), size)} if self.shape else {}
        return pl.DataFrame({**block, **shaped})

    def __len__(self) -> int:
        """The number of points per curve."""
        return int(self.y.shape[-1])

    def __repr__(self) -> str:
        many = f"block of {self.shape}, " if self.shape else ""
        return f"<{self.name}: {many}{len(self)} points>"
