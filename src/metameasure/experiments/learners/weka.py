"""Weka's own learners, through python-weka-wrapper3 (``pip install metameasure[weka]``, and Java).

They take the same data as the learners beside them, and hold them to account: the golden files of
the tests come from here.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from metameasure.errors import MetameasureError
from metameasure.experiments.learners.learner import Learner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metameasure._types import Floats, Indices


class WekaLearner(Learner):
    """A classifier of Weka.

    Args:
        nominal: number of levels of each column, 0 for a numeric one; None if all are numeric.
        options: Weka's options, such as ``("-U", "-A")``.
    """

    java_class: ClassVar[str]

    def __init__(
        self, *, nominal: Sequence[int] | None = None, options: Sequence[str] = ()
    ) -> None:
        self.nominal = nominal
        self.options = options

    def _fit(self, X: Floats, y: Indices, levels: Indices) -> None:
        _start_java()
        java = import_module("jpype")
        self.header_ = _header(java, levels, self.classes_.size)
        self.classifier_ = java.JClass(self.java_class)()
        self.classifier_.setOptions(java.JArray(java.JString)(list(map(str, self.options))))
        self.classifier_.buildClassifier(_instances(java, self.header_, X, y))

    def _probabilities(self, X: Floats) -> Floats:
        java = import_module("jpype")
        cases = _instances(java, self.header_, X, np.full(X.shape[0], np.nan))
        return np.array([list(self.classifier_.distributionForInstance(case)) for case in cases])

    def description(self) -> str:
        """The model as Weka prints it."""
        return str(self.classifier_)


class WekaJ48(WekaLearner):
    """Weka's C4.5: ``-U`` for unpruned, ``-O`` for not collapsed, ``-A`` for Laplace leaves."""

    java_class = "weka.classifiers.trees.J48"


class WekaNaiveBayes(WekaLearner):
    """Weka's naive Bayes: ``-K`` for kernels, ``-D`` for discretized attributes."""

    java_class = "weka.classifiers.bayes.NaiveBayes"


class WekaLogistic(WekaLearner):
    """Weka's logistic regression with a ridge (``-R``)."""

    java_class = "weka.classifiers.functions.Logistic"


class WekaKStar(WekaLearner):
    """Weka's K*: ``-B`` for the blend in percent."""

    java_class = "weka.classifiers.lazy.KStar"


class WekaIBk(WekaLearner):
    """Weka's k nearest neighbors: ``-K`` for their number."""

    java_class = "weka.classifiers.lazy.IBk"


class WekaSMO(WekaLearner):
    """Weka's support vector machine: ``-M`` for probabilities from logistic models."""

    java_class = "weka.classifiers.functions.SMO"


def _start_java() -> None:
    """Start the Java virtual machine of this process, once, with Weka and without its packages."""
    if find_spec("weka") is None or find_spec("jpype") is None:
        raise MetameasureError(
            "Weka's learners need python-weka-wrapper3, which is not installed",
            remedy="pip install 'metameasure[weka]'",
        )
    if import_module("jpype").isJVMStarted():
        return
    machine = import_module("weka.core.jvm")
    try:
        machine.start(packages=False, logging_level=40)
    except Exception as error:
        raise MetameasureError(
            "Weka's learners need Java, which cannot be started",
            remedy="install a Java runtime, and set JAVA_HOME if it is not found",
        ) from error


def _header(java: Any, levels: Indices, classes: int) -> Any:
    """An empty data set with the attributes, and the class last."""
    attribute, texts = java.JClass("weka.core.Attribute"), java.JClass("java.util.ArrayList")

    def nominal(name: str, count: int) -> Any:
        return attribute(name, texts([java.JString(str(code)) for code in range(count)]))

    attributes = texts()
    for column, count in enumerate(levels):
        attributes.add(nominal(f"a{column}", count) if count else attribute(f"a{column}"))
    attributes.add(nominal("class", classes))
    header = java.JClass("weka.core.Instances")("data", attributes, 0)
    header.setClassIndex(len(levels))
    return header


def _instances(java: Any, header: Any, X: Floats, y: Indices | Floats) -> Any:
    """A data set with the attributes and class codes; NaN is a missing value, as in Weka."""
    data = java.JClass("weka.core.Instances")(header, len(X))
    instance, row = java.JClass("weka.core.DenseInstance"), java.JArray(java.JDouble)
    for values in np.column_stack([X, y]):
        data.add(instance(1.0, row(values)))
    return data
