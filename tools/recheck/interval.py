"""Interval arithmetic on integers: every interval is [lo, hi] / 2^bits and contains the real number it stands for.

A number is either a Fraction (exact) or an Interval. Rational operations on Fractions stay exact. All rounding is
outward: floor for lower ends, ceiling for upper ends.
"""

from fractions import Fraction
from math import isqrt


class Undecided(Exception):
    """More bits may give a value."""


class Undefined(Exception):
    """The mathematics gives no value."""


def _floor(numerator, denominator):
    return numerator // denominator


def _ceil(numerator, denominator):
    return -((-numerator) // denominator)


class Interval:
    __slots__ = ("lo", "hi", "bits")

    def __init__(self, lo, hi, bits):
        assert lo <= hi, "an inverted interval is a bug"
        self.lo, self.hi, self.bits = lo, hi, bits

    @staticmethod
    def of(value, bits):
        if isinstance(value, Interval):
            return value
        value = Fraction(value)
        scaled = value.numerator << bits
        return Interval(_floor(scaled, value.denominator), _ceil(scaled, value.denominator), bits)

    def ends(self):
        """Both ends as exact Fractions."""
        return Fraction(self.lo, 1 << self.bits), Fraction(self.hi, 1 << self.bits)

    def __neg__(self):
        return Interval(-self.hi, -self.lo, self.bits)

    def __add__(self, other):
        if not isinstance(other, NUMBERS):
            return NotImplemented
        other = Interval.of(other, self.bits)
        return Interval(self.lo + other.lo, self.hi + other.hi, self.bits)

    __radd__ = __add__

    def __sub__(self, other):
        if not isinstance(other, NUMBERS):
            return NotImplemented
        return self + (-Interval.of(other, self.bits))

    def __rsub__(self, other):
        if not isinstance(other, NUMBERS):
            return NotImplemented
        return Interval.of(other, self.bits) + (-self)

    def __mul__(self, other):
        if not isinstance(other, NUMBERS):
            return NotImplemented
        if not isinstance(other, Interval) and other == 0:
            return Fraction(0)
        other = Interval.of(other, self.bits)
        products = [a * b for a in (self.lo, self.hi) for b in (other.lo, other.hi)]
        one = 1 << self.bits
        return Interval(_floor(min(products), one), _ceil(max(products), one), self.bits)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if not isinstance(other, NUMBERS):
            return NotImplemented
        return self * reciprocal(Interval.of(other, self.bits))

    def __rtruediv__(self, other):
        if not isinstance(other, NUMBERS):
            return NotImplemented
        return Interval.of(other, self.bits) * reciprocal(self)


NUMBERS = (int, Fraction, Interval)


def reciprocal(x):
    """1/x."""
    if isinstance(x, (int, Fraction)):
        if x == 0:
            raise Undefined("1/0")
        return 1 / Fraction(x)
    if x.lo <= 0 <= x.hi:
        raise Undecided("division by an interval that contains 0")
    square = 1 << (2 * x.bits)
    return Interval(_floor(square, x.hi), _ceil(square, x.lo), x.bits)


def is_zero(x):
    """True or False where that is certain, else None."""
    if isinstance(x, (int, Fraction)):
        return x == 0
    return None if x.lo <= 0 <= x.hi else False


def _monotone(enclose, x, bits):
    """The enclosure of an increasing function from those at both ends."""
    low, high = (x, x) if isinstance(x, (int, Fraction)) else x.ends()
    below = enclose(Fraction(low), bits)
    above = below if low == high else enclose(Fraction(high), bits)
    return Interval(below.lo, above.hi, bits)


def _exp_at(q, bits):
    """exp(q), q rational: Taylor on y = q / 2^s with |y| <= 1/2, then s squarings.

    sum_{i < n} y^i / i! leaves a tail of at most 2 |y|^n / n! for |y| <= 1/2.
    """
    if q < -bits:
        return Interval(0, 1, bits)  # below 2^-bits, since e > 2
    s = 1
    while abs(q) > (1 << s) // 2:
        s += 1
    work = bits + 2 * s + 32 + max(0, int(abs(q)) * 3)  # squarings and the size of exp(q) cost bits
    y = Interval.of(q / (1 << s), work)
    term, total, i = Interval.of(1, work), Interval.of(1, work), 0
    while term.hi > 1 or term.lo < -1:
        i += 1
        term = term * y * Fraction(1, i)
        total = total + term
    total = total + Interval(-4, 4, work)  # |next terms| <= 2 units of 2^-work, doubled
    for _ in range(s):
        total = total * total
    return Interval(max(0, total.lo >> (work - bits)), _ceil(total.hi, 1 << (work - bits)), bits)


def exp(x, bits):
    if isinstance(x, (int, Fraction)) and x == 0:
        return Fraction(1)
    return _monotone(_exp_at, x, bits)


def _sqrt_at(q, bits):
    scaled = (q.numerator << (2 * bits)) // q.denominator
    root = isqrt(scaled)
    return Interval(root, root + 1, bits)


def sqrt(x, bits):
    low = x if isinstance(x, (int, Fraction)) else x.ends()[0]
    if low < 0:
        raise Undecided("a square root below 0")
    return _monotone(_sqrt_at, x, bits)


def exact_sqrt(q):
    """The rational square root of q >= 0, or None."""
    p, r = isqrt(q.numerator), isqrt(q.denominator)
    return Fraction(p, r) if p * p == q.numerator and r * r == q.denominator else None


def inv_sqrt(x, bits):
    """1/sqrt(x)."""
    if isinstance(x, (int, Fraction)):
        x = Fraction(x)
        if x <= 0:
            raise Undefined("1/sqrt of a number that is not positive")
        root = exact_sqrt(x)
        return 1 / root if root is not None else reciprocal(sqrt(x, bits))
    if x.hi <= 0:
        raise Undefined("1/sqrt of a number that is not positive")
    if x.lo <= 0:
        raise Undecided("1/sqrt of an interval that reaches 0")
    return reciprocal(sqrt(x, bits))


def _arctan_inverse(n, bits):
    """arctan(1/n), n >= 2: an alternating series; the tail is below the first omitted term."""
    total, power, i = 0, (1 << bits) // n, 0
    terms = 0
    while power:
        total += (-power if i % 2 else power) // (2 * i + 1)
        power //= n * n
        i += 1
        terms += 1
    slack = 2 * terms + 2  # each term was rounded twice by less than one unit, the tail is below one
    return Interval(total - slack, total + slack, bits)


def pi(bits):
    """Machin: pi = 16 arctan(1/5) - 4 arctan(1/239)."""
    work = bits + 32
    value = _arctan_inverse(5, work) * 16 - _arctan_inverse(239, work) * 4
    return Interval(value.lo >> 32, _ceil(value.hi, 1 << 32), bits)


def _erf_at(q, bits):
    """erf(q) = 2/sqrt(pi) exp(-q^2) sum_i 2^i q^(2i+1) / (1 3 5 ... (2i+1)): all terms of one sign, no cancellation.

    Term i+1 is term i times 2 q^2 / (2i+3); once that ratio is below 1/2 the tail is below the last term.
    """
    if q < 0:
        return -_erf_at(-q, bits)
    if q == 0:
        return Interval(0, 0, bits)
    if q * q > bits:
        return Interval((1 << bits) - 1, 1 << bits, bits)  # 1 - erf(q) < exp(-q^2) < 2^-bits for q > 1
    work = bits + 32 + int(q * q) * 2
    square = q * q
    term = Interval.of(q, work)
    total, i = term, 0
    while term.hi > 1 or 2 * square * 2 > 2 * i + 3:
        term = term * (2 * square / (2 * i + 3))
        total = total + term
        i += 1
    total = Interval(total.lo, total.hi + term.hi + 1, work)
    value = total * exp(-square, work) * 2 / sqrt(pi(work), work)
    value = Interval(max(value.lo, 0), min(value.hi, 1 << work), work)
    return Interval(value.lo >> (work - bits), _ceil(value.hi, 1 << (work - bits)), bits)


def erf(x, bits):
    if isinstance(x, (int, Fraction)) and x == 0:
        return Fraction(0)
    return _monotone(_erf_at, x, bits)


def relu(x):
    if isinstance(x, (int, Fraction)):
        return max(Fraction(x), Fraction(0))
    return Interval(max(x.lo, 0), max(x.hi, 0), x.bits)


def _tanh_at(q, bits):
    """1 - 2/(exp(2q) + 1) for q >= 0."""
    if q < 0:
        return -_tanh_at(-q, bits)
    if q > bits:
        return Interval((1 << bits) - 1, 1 << bits, bits)  # 2/(exp(2q) + 1) < 2^-bits
    return Interval.of(1 - 2 / (exp(2 * q, bits) + 1), bits)


def tanh(x, bits):
    """Increasing."""
    return _monotone(_tanh_at, x, bits)
