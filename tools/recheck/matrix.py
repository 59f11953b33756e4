"""Matrices as lists of rows over Fractions and Intervals, and the two arithmetics in which a statement is evaluated."""

from fractions import Fraction

from . import interval
from .interval import Undecided, Undefined


class Irrational(Exception):
    """The exact arithmetic has no value here."""


class Matrix:
    def __init__(self, rows):
        self.rows = [list(row) for row in rows]
        assert self.rows and all(len(row) == len(self.rows[0]) for row in self.rows), "a ragged matrix"

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    def _entrywise(self, other, combine):
        assert self.shape == other.shape, (self.shape, other.shape)
        return Matrix([[combine(a, b) for a, b in zip(p, q)] for p, q in zip(self.rows, other.rows)])

    def __add__(self, other):
        return self._entrywise(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._entrywise(other, lambda a, b: a - b)

    def __neg__(self):
        return self.map(lambda a: -a)

    def __matmul__(self, other):
        assert self.shape[1] == other.shape[0], (self.shape, other.shape)
        columns = list(zip(*other.rows))
        return Matrix([[_dot(row, column) for column in columns] for row in self.rows])

    def __rmul__(self, scalar):
        return self.map(lambda a: scalar * a)

    def hadamard(self, other):
        return self._entrywise(other, lambda a, b: a * b)

    @property
    def T(self):
        return Matrix(zip(*self.rows))

    def map(self, f):
        return Matrix([[f(a) for a in row] for row in self.rows])

    def columns(self, first, count):
        return Matrix([row[first:first + count] for row in self.rows])

    def block(self, row, column, rows, columns):
        return Matrix([r[column:column + columns] for r in self.rows[row:row + rows]])

    def entries(self):
        return [a for row in self.rows for a in row]

    def __eq__(self, other):
        """Exact matrices only."""
        return self.rows == other.rows


def _dot(row, column):
    total = Fraction(0)
    for a, b in zip(row, column):
        total = total + a * b
    return total


def identity(n):
    return Matrix([[Fraction(int(i == j)) for j in range(n)] for i in range(n)])


def fill(rows, columns, value):
    return Matrix([[Fraction(value)] * columns for _ in range(rows)])


def zeros(rows, columns):
    return fill(rows, columns, 0)


def side_by_side(parts):
    return Matrix([sum((part.rows[i] for part in parts), []) for i in range(parts[0].shape[0])])


def stacked(parts):
    return Matrix([row for part in parts for row in part.rows])


def block_diagonal(parts):
    total = sum(part.shape[1] for part in parts)
    rows, before = [], 0
    for part in parts:
        for row in part.rows:
            rows.append([Fraction(0)] * before + row + [Fraction(0)] * (total - before - len(row)))
        before += part.shape[1]
    return Matrix(rows)


def inverse(a):
    """Gauss-Jordan; the pivot must be certainly nonzero."""
    n = a.shape[0]
    assert a.shape == (n, n), a.shape
    rows = [row + one for row, one in zip(a.rows, identity(n).rows)]
    for c in range(n):
        candidates = [(interval.is_zero(rows[r][c]), r) for r in range(c, n)]
        usable = [r for zero, r in candidates if zero is False]
        if not usable:
            if all(zero is True for zero, _ in candidates):
                raise Undefined("the inverse of a singular matrix")
            raise Undecided("no pivot is certainly nonzero")
        rows[c], rows[usable[0]] = rows[usable[0]], rows[c]
        pivot = interval.reciprocal(rows[c][c])
        rows[c] = [pivot * entry for entry in rows[c]]
        for r in range(n):
            if r != c and interval.is_zero(rows[r][c]) is not True:
                factor = rows[r][c]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[c])]
    return Matrix([row[n:] for row in rows])


def rank(a):
    """Of an exact matrix."""
    rows, found = [list(row) for row in a.rows], 0
    for c in range(a.shape[1]):
        pivot = next((r for r in range(found, len(rows)) if rows[r][c] != 0), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for r in range(found + 1, len(rows)):
            factor = rows[r][c] / rows[found][c]
            rows[r] = [x - factor * y for x, y in zip(rows[r], rows[found])]
        found += 1
    return found


class Exact:
    """Functions where they are rational and known to be; Irrational elsewhere."""

    def exp_quotients(self, logits):
        if any(logit != logits[0] for logit in logits):
            raise Irrational("softmax of different logits")
        return [Fraction(1, len(logits))] * len(logits)

    def inv_sqrt(self, x):
        if x <= 0:
            raise Undefined("1/sqrt of a number that is not positive")
        root = interval.exact_sqrt(Fraction(x))
        if root is None:
            raise Irrational(f"1/sqrt({x})")
        return 1 / root

    def activation(self, name, x):
        if name == "relu":
            return interval.relu(x)
        if name == "relu_squared":
            return interval.relu(x) * interval.relu(x)
        if x == 0 and name in ("gelu", "gelu_tanh", "silu", "tanh"):
            return Fraction(0)
        raise Irrational(f"{name}({x})")


class Certified:
    """Rigorous enclosures with `bits` binary digits after the point."""

    def __init__(self, bits):
        self.bits = bits

    def exp_quotients(self, logits):
        # Shifted by a rational near the largest logit: softmax does not change, and no exponential is huge.
        middles = [x if isinstance(x, Fraction) else x.ends()[0] for x in logits]
        shift = Fraction(round(max(middles)))
        if all(isinstance(x, Fraction) and x == logits[0] for x in logits):
            return [Fraction(1, len(logits))] * len(logits)
        powers = [interval.exp(x - shift, self.bits) for x in logits]
        total = sum(powers, Fraction(0))
        return [power / total for power in powers]

    def inv_sqrt(self, x):
        return interval.inv_sqrt(x, self.bits)

    def activation(self, name, x):
        if name in ("relu", "relu_squared"):
            positive = interval.relu(x)
            return positive if name == "relu" else positive * positive
        if name == "tanh":
            return interval.tanh(x, self.bits)
        if name == "silu":
            return x / (1 + interval.exp(-x, self.bits))
        if name == "gelu":
            return x * (1 + interval.erf(x * interval.inv_sqrt(2, self.bits), self.bits)) * Fraction(1, 2)
        if name == "gelu_tanh":
            inner = interval.sqrt(2 / interval.pi(self.bits), self.bits) * (x + Fraction(44715, 10**6) * x * x * x)
            return x * (1 + interval.tanh(inner, self.bits)) * Fraction(1, 2)
        raise ValueError(f"unknown activation {name}")
