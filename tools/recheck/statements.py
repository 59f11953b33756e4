"""What a statement is here: inputs, exact conditions, equations, necessary conditions, evaluated when asked for."""

from fractions import Fraction

from .certificate import Differs
from .matrix import identity, inverse, rank, side_by_side, stacked, zeros


class Statement:
    """One side of a claim at a size. instance: matrices by name, read only after their shapes were checked."""

    def __init__(self, size, instance, counts):
        self.size, self.instance, self.counts = size, instance, counts
        # Before anything is built: a count cannot be larger than what the instance has entries for.
        entries = 16 + sum(matrix.shape[0] * matrix.shape[1] for matrix in instance.values())
        admit(max(size.values()) <= entries and size["L"] <= 64, "a count is too large for this instance")
        self.inputs, self.equations = {}, []
        self._conditions, self._necessary = [], []

    def __getitem__(self, name):
        return self.instance[name]

    def input(self, name, rows, columns):
        self.inputs[name] = (rows, columns)

    def require(self, text, holds):
        self._conditions.append((text, holds))

    def need(self, text, holds):
        """A condition without which the claim says that nothing of the kind exists."""
        self._necessary.append((text, holds))

    def equation(self, label, sides):
        """sides(arithmetic): the pair (expected, constructed)."""
        self.equations.append((label, sides))

    def conditions(self):
        return [(text, holds()) for text, holds in self._conditions]

    def necessary(self):
        return [(text, holds()) for text, holds in self._necessary]

    def invertible(self, name):
        self.require(f"{name} is invertible", lambda: rank(self[name]) == self[name].shape[0])


def admit(condition, message):
    """The claim says nothing at other sizes."""
    if not condition:
        raise Differs(f"size: {message}")


def nonzero(matrix):
    return any(entry != 0 for entry in matrix.entries())


class Singular:
    """A_name B_name of inner dimension d - 1 and its Moore-Penrose inverse; the 1 x 1 zero for d = 1."""

    def __init__(self, statement, name, d):
        self.statement, self.name, self.d = statement, name, d
        if d > 1:
            statement.input(f"A_{name}", d, d - 1)
            statement.input(f"B_{name}", d - 1, d)
            for factor in (f"A_{name}", f"B_{name}"):
                statement.require(f"{factor} has full rank",
                                  lambda factor=factor: rank(statement[factor]) == d - 1)
        statement.require(f"{name} is singular", lambda: rank(self.matrix()) < d)

    def matrix(self):
        if self.d == 1:
            return zeros(1, 1)
        return self.statement[f"A_{self.name}"] @ self.statement[f"B_{self.name}"]

    def pseudo_inverse(self):
        if self.d == 1:
            return zeros(1, 1)
        a, b = self.statement[f"A_{self.name}"], self.statement[f"B_{self.name}"]
        return b.T @ inverse(b @ b.T) @ inverse(a.T @ a) @ a.T


def column_spaces_independent(matrices):
    return rank(side_by_side(matrices)) == sum(rank(a) for a in matrices)


def row_spaces_equal(matrices):
    return len({rank(a) for a in matrices} | {rank(stacked(matrices))}) == 1


def unit_circle(statement, name, columns):
    """A row of cosines over a row of sines."""
    statement.input(name, 2, columns)
    statement.require(f"{name} holds points of the unit circle", lambda: all(
        c * c + s * s == 1 for c, s in zip(*statement[name].rows)))


def rectangular_identity(rows, columns):
    return identity(max(rows, columns)).block(0, 0, rows, columns)


TINY = Fraction(1, 10**6)
