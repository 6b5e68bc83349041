"""Measures as values: declared once, called everywhere, written as text and read back."""

from metameasure.registry.averaged import GroupValues, MeanOver, group_values, mean_over
from metameasure.registry.combined import Combined, Linear, TwoLevel, linear, two_level
from metameasure.registry.declaration import Baseline, Best, Declaration, arrow, direction
from metameasure.registry.parameters import Choice, Flag, Interval, Parameter, Real, Whole
from metameasure.registry.references import references
from metameasure.registry.registered import ClassMeasure, Measure, find, measure, measures, names
from metameasure.registry.sampling import (
    CaseMean,
    ClassPairMean,
    Extreme,
    NoInterval,
    PairMean,
    Sampling,
    Share,
)
from metameasure.registry.text import parse, parse_list

__all__ = [
    "Baseline",
    "Best",
    "CaseMean",
    "Choice",
    "ClassMeasure",
    "ClassPairMean",
    "Combined",
    "Declaration",
    "Extreme",
    "Flag",
    "GroupValues",
    "Interval",
    "Linear",
    "MeanOver",
    "Measure",
    "NoInterval",
    "PairMean",
    "Parameter",
    "Real",
    "Sampling",
    "Share",
    "TwoLevel",
    "Whole",
    "arrow",
    "direction",
    "find",
    "group_values",
    "linear",
    "mean_over",
    "measure",
    "measures",
    "names",
    "parse",
    "parse_list",
    "references",
    "two_level",
]
