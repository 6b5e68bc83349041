"""Learners of the papers that scikit-learn does not have.

Attributes are columns of a float matrix, NaN where a value is missing; ``nominal=`` has the number
of levels of each column, 0 for a numeric one, and a nominal column has codes from 0 on.
"""
