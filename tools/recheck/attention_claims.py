"""The sides of claims about one attention layer that can be refuted, restated from their mathematics."""

from fractions import Fraction

from .matrix import block_diagonal, identity, inverse, rank, side_by_side, zeros
from .statements import (TINY, Singular, Statement, admit, column_spaces_independent, rectangular_identity,
                         row_spaces_equal, unit_circle)
from .transformer import Attention, attend, logits_of

ALL = "ndhgk"


def _size(size):
    admit(size["h"] % size["g"] == 0, "g divides h")
    return tuple(size[count] for count in "ndhgk")


def _attention(size, **options):
    return Attention(h=size["h"], g=size["g"], k=size["k"], **options)


def _projections(statement, names=("W_Q", "W_K", "W_V", "W_O")):
    _, d, h, g, k = _size(statement.size)
    shapes = {"W_Q": (d, h * k), "W_K": (d, g * k), "W_V": (d, g * k), "W_O": (h * k, d)}
    for name in names:
        statement.input(name, *shapes[name])


def _weights(statement):
    return {name: statement[name] for name in ("W_Q", "W_K", "W_V", "W_O")}


def _outputs(statement, attention, before, after, label="attention output"):
    """before(), after(): (stream, weights) of the two sides."""
    def sides(arithmetic):
        (x, w), (y, v) = before(), after()
        return attend(arithmetic, x, x, w, attention), attend(arithmetic, y, y, v, attention)
    statement.equation(label, sides)


def lemma_singular(size, instance):
    """Reading X T with T^+ W instead of W, T singular."""
    n, d, *_ = _size(size)
    s = Statement(size, instance, ALL)
    s.input("X", n, d)
    _projections(s)
    t = Singular(s, "T", d)

    def after():
        w, back = _weights(s), t.pseudo_inverse()
        return s["X"] @ t.matrix(), {**w, **{name: back @ w[name] for name in ("W_Q", "W_K", "W_V")}}

    _outputs(s, _attention(size), lambda: (s["X"], _weights(s)), after)
    return s


def eliminate_singular(projection):
    """The projection, singular, becomes I and the two others its pseudo-inverse times what they were."""
    def build(size, instance):
        n, d, h, g, k = _size(size)
        admit((h if projection == "W_Q" else g) * k == d, f"{projection} is square")
        s = Statement(size, instance, ALL)
        s.input("X", n, d)
        fixed = {}
        if projection == "W_V":
            fixed = {"W_K": identity(d), "W_O": rectangular_identity(h * k, d)}
        _projections(s, [name for name in ("W_Q", "W_K", "W_V", "W_O") if name != projection and name not in fixed])
        t = Singular(s, projection, d)

        def before():
            given = {name: s[name] for name in ("W_Q", "W_K", "W_V", "W_O") if name in s.inputs}
            return s["X"], {**given, **fixed, projection: t.matrix()}

        def after():
            x, w = before()
            moved = {name: t.pseudo_inverse() @ w[name] for name in ("W_Q", "W_K", "W_V")}
            return x @ t.matrix(), {**w, **moved, projection: identity(d)}

        _outputs(s, _attention(size), before, after)
        return s
    return build


def _forms(s):
    """B_i = W_Q,i W_K,j(i)^T."""
    _, _, h, g, k = _size(s.size)
    w = s.query_weights()
    return [w["W_Q"].columns(i * k, k) @ w["W_K"].columns(i * g // h * k, k).T for i in range(h)]


def _require_equal_rows(s):
    _, _, h, g, _ = _size(s.size)
    for j in range(g if h > g else 0):
        members = slice(j * h // g, (j + 1) * h // g)
        s.require(f"the row spaces of the heads of KV group {j} coincide",
                  lambda members=members: row_spaces_equal(_forms(s)[members]))


def query_dependent(size, instance):
    """Column spaces that meet: no T and K' exist."""
    _, d, h, g, k = _size(size)
    admit(h * k == d and h > 1, "h k = d and h > 1")
    s = Statement(size, instance, "dhgk")
    _projections(s, ("W_Q", "W_K"))
    s.query_weights = lambda: {"W_Q": s["W_Q"], "W_K": s["W_K"]}
    s.require("W_Q is singular", lambda: rank(s["W_Q"]) < d)
    s.require("the column spaces col(B_i) are dependent", lambda: not column_spaces_independent(_forms(s)))
    _require_equal_rows(s)
    s.need(f"independence: independent column spaces ({', '.join([f'{d} x {d}'] * h)})",
           lambda: column_spaces_independent(_forms(s)))
    return s


def query_different_rows(size, instance):
    """The first head of the first KV group has a smaller row space than the others: no T and K' exist."""
    _, d, h, g, k = _size(size)
    admit(h * k == d and h > g, "h k = d and h > g")
    s = Statement(size, instance, "dhgk")
    s.input("T", d, d)
    s.invertible("T")
    if k > 1:
        s.input("P.0", k, k)
        s.require("P.0 is singular", lambda: rank(s["P.0"]) < k)
    _projections(s, ("W_K",))

    def weights():
        t = s["T"]
        first = t.columns(0, k) @ (s["P.0"] if k > 1 else zeros(1, 1))
        return {"W_Q": side_by_side([first, t.columns(k, d - k)]), "W_K": s["W_K"]}

    s.query_weights = weights
    s.require("the column spaces col(B_i) are independent", lambda: column_spaces_independent(_forms(s)))
    members = slice(0, h // g)
    s.require("the row spaces of the first KV group differ", lambda: not row_spaces_equal(_forms(s)[members]))
    s.need(f"equal_rows: equal row spaces ({', '.join([f'{d} x {d}'] * (h // g))})",
           lambda: row_spaces_equal(_forms(s)[members]))
    return s


def query_between(rope):
    """The construction for W_Q = [T_0 P_0 ...] where RoPE or a norm stands between projection and product."""
    def build(size, instance):
        n, d, h, g, k = _size(size)
        admit(h * k == d and not (rope and k % 2), "h k = d, and k even for RoPE")
        s = Statement(size, instance, ALL)
        s.input("X", n, d)
        if not rope:
            s.input("T", d, d)
            s.invertible("T")
        for j in range(g):
            s.input(f"P.{j}", k, k)
        if rope:
            unit_circle(s, "rotation", k // 2)
        else:
            _projections(s, ("W_K",))
        basis = (lambda: identity(d)) if rope else (lambda: s["T"])

        def weights():
            t = basis()
            blocks = [t.columns(i * k, k) @ s[f"P.{i * g // h}"] for i in range(h)]
            return {"W_Q": side_by_side(blocks), "W_K": rectangular_identity(d, g * k) if rope else s["W_K"]}

        s.query_weights = weights
        s.require("the column spaces col(B_i) are independent", lambda: column_spaces_independent(_forms(s)))
        _require_equal_rows(s)

        def attention():
            return _attention(size, **({"rotation": s["rotation"]} if rope else {"qk_norm_eps": TINY}))

        def sides(arithmetic, i):
            w, t = weights(), basis()
            keys = inverse(t) @ w["W_K"] @ block_diagonal([s[f"P.{j}"].T for j in range(g)])
            moved = {"W_Q": identity(d), "W_K": keys}
            y = s["X"] @ t
            return (logits_of(arithmetic, s["X"], s["X"], w, attention())[i],
                    logits_of(arithmetic, y, y, moved, attention())[i])

        for i in range(h):
            s.equation(f"logits of head {i}", lambda arithmetic, i=i: sides(arithmetic, i))
        return s
    return build


def _query_and_key(s):
    """W_V = I and W_O = I."""
    _, d, h, g, k = _size(s.size)
    return {"W_Q": s["W_Q"], "W_K": s["W_K"], "W_V": rectangular_identity(d, g * k),
            "W_O": rectangular_identity(h * k, d)}


def merge_heads(size, instance):
    """W_Q -> I, W_K -> W_K W_Q^T with several heads."""
    n, d, h, g, k = _size(size)
    admit(h * k == d and h == g > 1, "h k = d and h = g > 1")
    s = Statement(size, instance, ALL)
    s.input("X", n, d)
    _projections(s, ("W_Q", "W_K"))
    _outputs(s, _attention(size), lambda: (s["X"], _query_and_key(s)),
             lambda: (s["X"], {**_query_and_key(s), "W_Q": identity(d), "W_K": s["W_K"] @ s["W_Q"].T}))
    return s


def merge_rope(size, instance):
    """The same with one head of width d under RoPE."""
    n, d, h, _, k = _size(size)
    admit(h * k == d and d % 2 == 0, "h k = d, and RoPE needs an even width")
    size = {**size, "h": 1, "g": 1, "k": d}
    s = Statement(size, instance, "ndhk")
    s.input("X", n, d)
    _projections(s, ("W_Q", "W_K"))
    unit_circle(s, "rotation", d // 2)

    def sides(arithmetic):
        attention, x, w = _attention(size, rotation=s["rotation"]), s["X"], _query_and_key(s)
        merged = {**w, "W_Q": identity(d), "W_K": s["W_K"] @ s["W_Q"].T}
        return attend(arithmetic, x, x, w, attention), attend(arithmetic, x, x, merged, attention)

    s.equation("attention output", sides)
    return s


def overwrite(size, instance):
    """W_Q := I and nothing else."""
    n, d, h, _, k = _size(size)
    admit(h * k == d, "h k = d")
    s = Statement(size, instance, ALL)
    s.input("X", n, d)
    _projections(s)
    _outputs(s, _attention(size), lambda: (s["X"], _weights(s)), lambda: (s["X"], {**_weights(s), "W_Q": identity(d)}))
    return s


def gauge_between(rope):
    """W_Q,i B_j and W_K,j B_j^-T with a general B_j under RoPE or QK-norm."""
    def build(size, instance):
        n, d, h, g, k = _size(size)
        admit(not (rope and k % 2), "RoPE needs an even k")
        s = Statement(size, instance, ALL)
        s.input("X", n, d)
        _projections(s, ("W_Q", "W_K"))
        if rope:
            unit_circle(s, "rotation", k // 2)
        for j in range(g):
            s.input(f"B.{j}", k, k)
            s.invertible(f"B.{j}")

        def sides(arithmetic):
            attention = _attention(size, **({"rotation": s["rotation"]} if rope else {"qk_norm_eps": TINY}))
            x, w = s["X"], _query_and_key(s)
            changed = {**w, "W_Q": w["W_Q"] @ block_diagonal([s[f"B.{i * g // h}"] for i in range(h)]),
                       "W_K": w["W_K"] @ block_diagonal([inverse(s[f"B.{j}"]).T for j in range(g)])}
            return attend(arithmetic, x, x, w, attention), attend(arithmetic, x, x, changed, attention)

        s.equation("attention output", sides)
        return s
    return build


def logit_degree_normed(size, instance):
    """The logits along a line, extrapolated as a polynomial would be, with normalized queries and keys."""
    n, d, h, g, k = _size(size)
    admit(h * k == d, "h k = d")
    s = Statement(size, instance, ALL)
    s.input("X", n, d)
    for name, width in (("W_Q", h * k), ("W_K", g * k), ("D_Q", h * k), ("D_K", g * k)):
        s.input(name, d, width)

    def logits(arithmetic, x, query, key):
        return side_by_side(logits_of(arithmetic, x, x, {"W_Q": query, "W_K": key}, _attention(size, qk_norm_eps=TINY)))

    def before(arithmetic):
        f = [logits(arithmetic, s["X"], s["W_Q"] + Fraction(t) * s["D_Q"], s["W_K"] + Fraction(t) * s["D_K"])
             for t in range(4)]
        return f[3], Fraction(3) * f[2] - Fraction(3) * f[1] + f[0]

    def after(arithmetic):
        x = s["X"] @ s["W_Q"]
        f = [logits(arithmetic, x, identity(h * k), s["W_K"] + Fraction(t) * s["D_K"]) for t in range(3)]
        return f[2], Fraction(2) * f[1] - f[0]

    s.equation("third difference in (W_Q, W_K)", before)
    s.equation("second difference in W_K' after the elimination", after)
    return s


SIDES = {
    ("reparam.lemma", "without:invertible"): lemma_singular,
    ("reparam.eliminate_query", "without:invertible"): eliminate_singular("W_Q"),
    ("reparam.eliminate_key", "without:invertible"): eliminate_singular("W_K"),
    ("reparam.eliminate_value", "without:invertible"): eliminate_singular("W_V"),
    ("reparam.query_iff", "without:independence"): query_dependent,
    ("reparam.query_iff", "without:equal_rows"): query_different_rows,
    ("reparam.query_iff", "without:no_qk_norm"): query_between(rope=False),
    ("reparam.query_iff", "without:no_rope"): query_between(rope=True),
    ("reparam.merge_qk", "without:single_head"): merge_heads,
    ("reparam.merge_qk_rope", "claim"): merge_rope,
    ("reparam.overwrite_query", "claim"): overwrite,
    ("reparam.gauge", "without:scaled_rotations"): gauge_between(rope=True),
    ("reparam.gauge", "without:no_qk_norm"): gauge_between(rope=False),
    ("reparam.logit_degree", "without:no_qk_norm"): logit_degree_normed,
}
