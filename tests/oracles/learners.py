"""Learners as their descriptions have them, one case at a time; slow.

Cases are lists of values with None where one is missing, classes are 0, 1, ..., and ``levels`` has
the number of levels of each attribute, 0 for a numeric one.
"""

import math
from collections import Counter
from itertools import accumulate, pairwise
from statistics import NormalDist

from scipy.optimize import brentq


def _log2(n):
    return n * math.log2(n) if n > 0 else 0.0


def _information(counts):
    """The entropy of counts in bits, times their sum."""
    return _log2(sum(counts)) - sum(map(_log2, counts))


def _normal(z):
    return math.erfc(-z / math.sqrt(2)) / 2


def naive_bayes(cases, y, levels, classes, test):
    """Weka's naive Bayes: bins of a normal, Laplace's rule, missing values skipped."""
    products = []
    for c in range(classes):
        own = [case for case, label in zip(cases, y, strict=True) if label == c]
        log = math.log((len(own) + 1) / (len(cases) + classes))
        for j, count in enumerate(levels):
            if test[j] is None:
                continue
            values = [case[j] for case in own if case[j] is not None]
            if count:
                p = (values.count(test[j]) + 1) / (len(values) + count)
            else:
                distinct = sorted({case[j] for case in cases} - {None})
                gaps = [b - a for a, b in pairwise(distinct)]
                precision = 0.01
                if gaps:
                    precision = list(accumulate(gaps))[-1] / len(gaps)
                values = [round(v / precision) * precision for v in values]
                mean = sum(values) / len(values) if values else 0.0
                std = 0.0
                if values:
                    std = math.sqrt(sum((v - mean) ** 2 for v in values) / len(values))
                std = max(std, precision / 6)
                away = round(test[j] / precision) * precision - mean
                p = _normal((away + precision / 2) / std) - _normal((away - precision / 2) / std)
            log += math.log(max(p, 1e-75))
        products.append(log)
    top = max(products)
    weights = [math.exp(log - top) for log in products]
    return [weight / sum(weights) for weight in weights]


def entropy_cuts(values, y):
    """Fayyad and Irani: the best cut if the description length accepts it, and both sides."""
    pairs = sorted((v, label) for v, label in zip(values, y, strict=True) if v is not None)
    n = len(pairs)

    def bits(part):
        return _information(Counter(label for _, label in part).values()) / len(part)

    best = None
    for i in range(1, n):
        if pairs[i - 1][0] < pairs[i][0]:
            left, right = pairs[:i], pairs[i:]
            entropy = (len(left) * bits(left) + len(right) * bits(right)) / n
            if best is None or entropy < best[0] - 1e-12:
                best = entropy, (pairs[i - 1][0] + pairs[i][0]) / 2, left, right
    if best is None:
        return []
    entropy, cut, left, right = best
    k, k1, k2 = (len({label for _, label in part}) for part in (pairs, left, right))
    delta = math.log2(3**k - 2) - (k * bits(pairs) - k1 * bits(left) - k2 * bits(right))
    if bits(pairs) - entropy <= (math.log2(n - 1) + delta) / n:
        return []
    sides = [entropy_cuts(*zip(*part, strict=True)) for part in (left, right)]
    return [*sides[0], cut, *sides[1]]


def voting_intervals(cases, y, levels, classes, test, bias):
    """Demiroz and Guvenir, with Weka's weights unless ``bias`` is None."""
    trace = 0 if bias is None else 1e-11
    sizes = [y.count(c) for c in range(classes)]
    total = [0.0] * classes
    for j, count in enumerate(levels):
        if test[j] is None:
            continue
        known = [(case[j], label) for case, label in zip(cases, y, strict=True)]
        known = [(v, label) for v, label in known if v is not None]
        if count:
            inside = [[label for v, label in known if v == test[j]]] * 2
        else:
            ends = set()
            for c in range(classes):
                own = [v for v, label in known if label == c]
                ends |= {min(own), max(own)} if own else set()
            edges = [-math.inf, *sorted(ends), math.inf]
            intervals = [(a, b) for a, b in pairwise(edges) if a <= test[j] <= b]
            # One interval for a value inside it, two for a value on a boundary.
            inside = [
                [label for v, label in known for _ in range(1 + (a < v < b)) if a <= v <= b]
                for a, b in intervals
            ]
            inside = [[*part] for part in inside] * (2 // len(inside))
        halves = 0.5 if not count else 1.0
        votes = [
            (sum(part.count(c) for part in inside) / 2 * halves + trace) / (sizes[c] + trace)
            if sizes[c]
            else 0.0
            for c in range(classes)
        ]
        if not sum(votes):
            votes = [1.0] * classes
        votes = [vote / sum(votes) for vote in votes]
        weight = 1.0 if bias is None else max(1.0, _information(votes) ** -bias)
        total = [t + weight * vote for t, vote in zip(total, votes, strict=True)]
    if not sum(total):
        total = [1.0] * classes
    return [t / sum(total) for t in total]


def kstar(cases, y, levels, classes, test, blend):
    """Cleary and Trigg, with the scale that gives the wanted effective number of cases exactly."""
    n, d = len(cases), len(levels)
    moves, missing = [1.0] * n, 0
    for j, count in enumerate(levels):
        if test[j] is None:
            missing += 1
            continue
        known = [i for i in range(n) if cases[i][j] is not None]

        def p(i, s, j=j, count=count):
            if count:
                return (1 - s) / count + (s if cases[i][j] == test[j] else 0)
            return s * math.exp(-2 * s * abs(cases[i][j] - test[j]))

        def excess(s, p=p, known=known, aim=lambda: aim):
            each = [p(i, s) for i in known]
            squares = sum(v * v for v in each)
            return (sum(each) ** 2 / squares if squares else 0) - aim()

        away = [abs(cases[i][j] - test[j]) for i in known]
        if count:
            away = [min(1, a) for a in away]
        least = min(away) if not count else 0
        nearest = sum(a - least < 1e-5 for a in away)
        aim = nearest + blend * (len(known) - nearest)
        low, high = 0.005, 0.995
        start = 1 - blend
        if not count:
            others = [a for a in away if a - least >= 1e-5]
            start = 1 / (min(others) - least) if others else None
            high = 16 * start if others else None
        if start is None:
            s, mean = 1.0, 1.0
        else:
            if excess(low) < 0:
                s = low
            elif excess(high) > 0:
                s = high
            else:
                s = brentq(excess, low, high, xtol=1e-14)
            mean = sum(p(i, s) for i in known) / len(known)
        power = (d + 1) / (d + 1 - missing)
        for i in range(n):
            moves[i] = (moves[i] * (mean if cases[i][j] is None else p(i, s))) ** power
    total = [
        sum(m for m, label in zip(moves, y, strict=True) if label == c) for c in range(classes)
    ]
    return [t / sum(total) for t in total]


class SlowTree:
    """C4.5 on lists of (case, class, weight)."""

    SAME = 1e-6

    def __init__(self, cases, y, levels, classes, options):
        self.levels, self.classes, self.options = levels, classes, options
        self.values = [sorted({case[j] for case in cases} - {None}) for j in range(len(levels))]
        self.n = len(cases)
        self.root = self.grow([(case, c, 1.0) for case, c in zip(cases, y, strict=True)])
        if options["collapse"]:
            self.collapse(self.root)
        if options["prune"]:
            self.prune(self.root)

    def counts(self, part):
        return [sum(w for _, c, w in part if c == k) for k in range(self.classes)]

    def grow(self, part):
        """A node: its cases and counts, and if it is split the attribute, cut and children."""
        counts = self.counts(part)
        node = {"part": part, "counts": counts, "empty": sum(counts) < self.SAME}
        least = self.options["min_leaf"]
        if sum(counts) < 2 * least - self.SAME or sum(counts) - max(counts) < self.SAME:
            return node
        found = [self.numeric(part, j) if not n else self.nominal(part, j)
                 for j, n in enumerate(self.levels)]  # fmt: skip
        few = [not n or n < 0.3 * self.n - self.SAME for n in self.levels]
        gains = [s[0] for s, ok in zip(found, few, strict=True) if s and (ok or not any(few))]
        if not gains:
            return node
        best = None
        for j, split in enumerate(found):
            if split and split[0] >= sum(gains) / len(gains) - 1e-3:
                ratio = split[1]
                if ratio > (best[1] if best else 0) + self.SAME:
                    best = j, ratio, split[2]
        if best:
            node["attribute"], _, node["cut"] = best
            if node["cut"] is not None:
                node["cut"] = max(v for v in self.values[best[0]] if v <= node["cut"])
            node["children"] = [self.grow(bag) for bag in self.bags(node, part)]
        return node

    def judged(self, bags, part, penalty=0.0):
        """The gain and the gain ratio of a division of the known cases."""
        total = sum(w for *_, w in part)
        each = [self.counts(bag) for bag in bags]
        known = sum(map(sum, each))
        before = _information([sum(column) for column in zip(*each, strict=True)])
        gain = (before - sum(map(_information, each))) / total
        gain = 0.0 if gain * known < self.SAME else gain
        gain -= penalty
        split = _log2(total) - sum(_log2(sum(c)) for c in each) - _log2(max(total - known, 0.0))
        return gain, (gain / (split / total) if split > self.SAME else 0.0)

    def nominal(self, part, j):
        bags = [[case for case in part if case[0][j] == level] for level in range(self.levels[j])]
        least = self.options["min_leaf"] - self.SAME
        if sum(sum(w for *_, w in bag) >= least for bag in bags) < 2:
            return None
        return *self.judged(bags, part), None

    def numeric(self, part, j):
        known = sorted((case for case in part if case[0][j] is not None), key=lambda c: c[0][j])
        weight = sum(w for *_, w in known)
        least = min(max(0.1 * weight / self.classes, self.options["min_leaf"]), 25)
        if len(known) < 2 * least - self.SAME:
            return None
        tried, best = 0, (0.0, None)
        for i in range(1, len(known)):
            sides = known[:i], known[i:]
            if known[i - 1][0][j] + 1e-5 < known[i][0][j] and all(
                sum(w for *_, w in side) >= least - self.SAME for side in sides
            ):
                tried += 1
                gain = self.judged(sides, part)[0]
                if gain > best[0] + self.SAME:
                    best = gain, i
        if best[1] is None:
            return None
        total = sum(w for *_, w in part)
        penalty = math.log2(tried) / total if self.options["mdl"] else 0.0
        if best[0] - penalty <= self.SAME:
            return None
        i = best[1]
        cut = (known[i - 1][0][j] + known[i][0][j]) / 2
        return *self.judged((known[:i], known[i:]), part, penalty), cut

    def child(self, node, case):
        value = case[node["attribute"]]
        if value is None:
            return None
        return int(value) if node["cut"] is None else int(value > node["cut"])

    def bags(self, node, part):
        """The cases of the children; those with a missing value in parts."""
        many = self.levels[node["attribute"]] or 2
        bags = [[case for case in part if self.child(node, case[0]) == k] for k in range(many)]
        known = sum(w for bag in bags for *_, w in bag)
        shares = [sum(w for *_, w in bag) / known if known else 1 / many for bag in bags]
        for case, c, w in part:
            if self.child(node, case) is None:
                for bag, share in zip(bags, shares, strict=True):
                    if share > self.SAME:
                        bag.append((case, c, w * share))
        return bags

    @staticmethod
    def wrong(counts):
        return sum(counts) - max(counts)

    def leaves(self, node):
        if "children" not in node:
            return [node]
        return [leaf for child in node["children"] for leaf in self.leaves(child)]

    def collapse(self, node):
        if "children" in node:
            errors = sum(self.wrong(leaf["counts"]) for leaf in self.leaves(node))
            if errors >= self.wrong(node["counts"]) - 1e-3:
                del node["children"]
            else:
                for child in node["children"]:
                    self.collapse(child)

    def estimate(self, counts):
        """Quinlan's pessimistic number of errors."""
        n, e, level = sum(counts), self.wrong(counts), self.options["confidence"]
        if n < self.SAME:
            return 0.0
        z = NormalDist().inv_cdf(1 - level)

        def limit(e):
            if e + 0.5 >= n:
                return max(n, e)
            f = (e + 0.5) / n
            root = math.sqrt(f / n - f * f / n + z * z / (4 * n * n))
            return n * (f + z * z / (2 * n) + z * root) / (1 + z * z / n)

        if e >= 1:
            return limit(e)
        none = n * (1 - level ** (1 / n))
        return e + none + e * (limit(1) - 1 - none)

    def estimated(self, node, part=None):
        """The estimated errors of a subtree, with its own cases or with others."""
        if part is None:
            return sum(self.estimate(leaf["counts"]) for leaf in self.leaves(node))
        if "children" not in node:
            return self.estimate(self.counts(part))
        pairs = zip(node["children"], self.bags(node, part), strict=True)
        return sum(self.estimated(child, bag) for child, bag in pairs)

    def refill(self, node, part):
        node["part"], node["counts"] = part, self.counts(part)
        if "children" in node:
            for child, bag in zip(node["children"], self.bags(node, part), strict=True):
                self.refill(child, bag)
        elif sum(node["counts"]) > self.SAME:
            node["empty"] = False

    def prune(self, node):
        if "children" not in node:
            return
        for child in node["children"]:
            self.prune(child)
        sizes = [sum(child["counts"]) for child in node["children"]]
        largest = [
            child
            for child, size in zip(node["children"], sizes, strict=True)
            if size > max(sizes) - self.SAME
        ][-1]
        leaf, below = self.estimate(node["counts"]), self.estimated(node)
        raised = math.inf
        if self.options["subtree_raising"]:
            raised = self.estimated(largest, node["part"])
        if leaf <= min(below, raised) + 0.1 + self.SAME:
            del node["children"]
        elif raised <= below + 0.1 + self.SAME:
            part = node["part"]
            node.pop("children")
            node.update({key: largest[key] for key in largest if key not in {"part", "empty"}})
            self.refill(node, part)
            self.prune(node)

    def probabilities(self, case):
        found = self.shares(self.root, case)
        return [p / sum(found) for p in found]

    def shares(self, node, case):
        if "children" in node:
            child = self.child(node, case)
            if child is None:
                total = [0.0] * self.classes
                for each in node["children"]:
                    if not each["empty"]:
                        share = sum(each["counts"]) / sum(node["counts"])
                        own = self.shares(each, case)
                        total = [t + share * p for t, p in zip(total, own, strict=True)]
                return total
            if not node["children"][child]["empty"]:
                return self.shares(node["children"][child], case)
        extra = 1 if self.options["laplace"] else 0
        whole = sum(node["counts"]) + extra * self.classes
        return [(count + extra) / whole if whole else 0.0 for count in node["counts"]]
