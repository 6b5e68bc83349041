"""Items of Huang (2006), a thesis on the measures of learning algorithms.

The modules whose names begin with huang2006 hold the items; they are found by their names.
"""
