"""Reading a certificate and rechecking it against a statement written in this package."""

import json
import re
import zlib
from fractions import Fraction

from .interval import Undecided, Undefined
from .matrix import Certified, Exact, Irrational, Matrix

KEYS = ("schema", "claim", "side", "size", "arithmetic", "precision", "verdict", "minimal", "instance", "differences",
        "failing", "checksum")
COUNTS = ("n", "d", "h", "g", "k", "L", "m")
DIFFERENCE = ("label", "row", "col", "expected", "constructed")
MOST_BYTES, MOST_TEXT, MOST_ENTRIES, LARGEST_COUNT = 16 << 20, 10000, 65536, 256


class Unreadable(Exception):
    """Not a certificate, or one of a claim that this checker does not know."""


class Differs(Exception):
    """A step that recomputation does not confirm."""


def _require(condition, field, expected):
    if not condition:
        raise Unreadable(f"{field}: expected {expected}")


def _object(pairs):
    keys = [key for key, _ in pairs]
    _require(len(set(keys)) == len(keys), "file", "each key once")
    return dict(pairs)


def _exact_keys(field, value, keys):
    _require(isinstance(value, dict) and set(value) == set(keys), field, f"exactly the keys {', '.join(keys)}")


def _text(field, value):
    _require(isinstance(value, str) and len(value.encode(errors="surrogatepass")) <= MOST_TEXT, field, f"a string of at most {MOST_TEXT}")
    return value


def _count(field, value, low, high):
    _require(type(value) is int and low <= value <= high, field, f"a whole number from {low} to {high}")
    return value


def number(field, text):
    _text(field, text)
    _require(re.fullmatch(r"-?[0-9]+(/[0-9]+)?", text) and not re.search(r"/0+$", text), field, "an exact number")
    value = Fraction(text)
    _require(str(value) == text, field, "lowest terms")
    return value


def _matrix(field, rows):
    _require(isinstance(rows, list) and rows and all(isinstance(row, list) for row in rows), field, "rows")
    _require(rows[0] and all(len(row) == len(rows[0]) for row in rows), field, "rows of equal length")
    _require(len(rows) * len(rows[0]) <= MOST_ENTRIES, field, f"at most {MOST_ENTRIES} entries")
    return Matrix([[number(f"{field}[{i}][{j}]", entry) for j, entry in enumerate(row)] for i, row in enumerate(rows)])


def read(path):
    """The certificate as a dictionary, its instance as exact matrices. Unreadable unless it has the exact form."""
    try:
        with open(path, "rb") as file:
            raw = file.read(MOST_BYTES + 1)
        _require(len(raw) <= MOST_BYTES, "file", f"at most {MOST_BYTES} bytes")
        data = json.loads(raw.decode("utf-8"), object_pairs_hook=_object)
    except (OSError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Unreadable(f"{path}: {error}") from error
    _exact_keys("file", data, KEYS)
    _require(data["schema"] == "attest.certificate/1", "schema", "attest.certificate/1")
    _require(data["verdict"] == "refuted", "verdict", "refuted")
    _require(data["minimal"] in ("global", "local", ""), "minimal", "global, local or nothing")
    _require(data["arithmetic"] in ("rational", "ball"), "arithmetic", "rational or ball")
    ball = data["arithmetic"] == "ball"
    _count("precision", data["precision"], 64 if ball else 0, 4096 if ball else 0)
    _require(data["precision"] % 64 == 0, "precision", "a multiple of 64")
    _text("claim", data["claim"])
    _text("side", data["side"])
    _require(re.fullmatch(r"crc32:[0-9a-f]{8}", _text("checksum", data["checksum"])), "checksum", "crc32:xxxxxxxx")
    _exact_keys("size", data["size"], COUNTS)
    for key in COUNTS:
        _count(f"size.{key}", data["size"][key], 1, LARGEST_COUNT)
    _read_evidence(data)
    return data


def _read_evidence(data):
    _require(isinstance(data["differences"], list) and isinstance(data["failing"], list), "differences, failing",
             "arrays")
    _require(data["differences"] or data["failing"], "differences", "something that differs")
    for i, difference in enumerate(data["differences"]):
        field = f"differences[{i}]"
        _exact_keys(field, difference, DIFFERENCE)
        for key in ("label", "expected", "constructed"):
            _text(f"{field}.{key}", difference[key])
        for key in ("row", "col"):
            _count(f"{field}.{key}", difference[key], 0, MOST_ENTRIES)
    for i, text in enumerate(data["failing"]):
        _text(f"failing[{i}]", text)
    _require(isinstance(data["instance"], dict), "instance", "an object")
    data["content"] = json.dumps({key: data[key] for key in KEYS if key != "checksum"}, sort_keys=True,
                                 separators=(",", ":"), ensure_ascii=True)
    data["instance"] = {name: _matrix(f"instance.{name}", rows) for name, rows in data["instance"].items()}


def _rounded(value, decimals):
    """round(10^decimals value) to nearest, or Undecided."""
    low, high = (value, value) if isinstance(value, (int, Fraction)) else value.ends()
    power = 10**decimals
    ends = {(end * power + Fraction(1, 2)).__floor__() for end in (low, high)}
    if len(ends) != 1:
        raise Undecided("a value too close to a tie of rounding")
    return ends.pop()


def _text_of(value, decimals):
    digits = str(abs(value)).rjust(decimals + 1, "0")
    return f"[{'-' if value < 0 else ''}{digits[:-decimals]}.{digits[-decimals:]} +/- 5e-{decimals + 1}]"


def _difference(label, expected, constructed, decimals):
    """The first entry that differs, exactly (decimals 0) or with roundings at least 2 units apart; or None."""
    assert expected.shape == constructed.shape, "the two sides of an equation have one shape"
    for i, (p, q) in enumerate(zip(expected.rows, constructed.rows)):
        for j, (a, b) in enumerate(zip(p, q)):
            texts = None
            if decimals == 0:
                if a != b:
                    texts = str(a), str(b)
            else:
                a, b = _rounded(a, decimals), _rounded(b, decimals)
                if abs(a - b) >= 2:
                    texts = _text_of(a, decimals), _text_of(b, decimals)
            if texts:
                return {"label": label, "row": i, "col": j, "expected": texts[0], "constructed": texts[1]}
    return None


def _recompute(equation, precision):
    """The difference that an equation (label, function of an arithmetic giving both sides) shows, and a note."""
    label, sides = equation
    if precision == 0:
        try:
            return _difference(label, *sides(Exact()), 0), ""
        except (Irrational, Undefined) as reason:
            return None, f"{label}: no value in rational arithmetic ({reason})"
    reason = ""
    for bits in (2 * precision, 4 * precision, 8 * precision, 16 * precision):
        try:
            return _difference(label, *sides(Certified(bits)), precision // 4), ""
        except Undecided as error:
            reason = error
        except Undefined as error:
            return None, f"{label}: no value ({error})"
    return None, f"{label}: no value ({reason})"


def recheck(data, statement_of):
    """The steps of the recheck, in words. Differs at the first one that fails; Unreadable for an unknown claim.

    statement_of(claim, side, size, instance) gives a Statement (statements.py).
    """
    checksum = f"crc32:{zlib.crc32(data['content'].encode()):08x}"
    if checksum != data["checksum"]:
        raise Differs(f"checksum: the file says {data['checksum']}, its content has {checksum}: it was edited")
    yield f"checksum {checksum} of the content"
    statement = statement_of(data["claim"], data["side"], data["size"], data["instance"])
    yield f"{data['claim']}, {data['side']}: stated independently here"
    for name in COUNTS:
        if name not in statement.counts and data["size"][name] != 1:
            raise Differs(f"size.{name}: {data['size'][name]}, which the statement does not use; 1 is the smallest")
    shapes = {name: matrix.shape for name, matrix in data["instance"].items()}
    if shapes != statement.inputs:
        raise Differs(f"instance: shapes {shapes}, the statement has {statement.inputs}")
    yield f"the instance has exactly the statement's {len(shapes)} inputs"
    for text, holds in statement.conditions():
        if not holds:
            raise Differs(f"not so: {text}")
        yield f"holds exactly: {text}"
    differences = []
    for equation in statement.equations:
        difference, note = _recompute(equation, data["precision"])
        if note:
            yield note
        if difference:
            differences.append(difference)
            yield ("recomputed: {label} [{row}, {col}]: expected {expected}, constructed {constructed}"
                   .format(**difference))
    if differences != data["differences"]:
        raise Differs(f"differences: stated {data['differences']}, recomputed {differences}")
    failing = [text for text, holds in statement.necessary() if not holds]
    if failing != data["failing"]:
        raise Differs(f"failing: stated {data['failing']}, recomputed {failing}")
    for text in failing:
        yield f"necessary and false: {text}"
    yield f"minimal: '{data['minimal']}' is not rechecked (the search is not repeated)"
