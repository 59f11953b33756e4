"""The sides of claims about whole networks that can be refuted, restated from their mathematics."""

from fractions import Fraction

from .bases import (KEEP_SHARED, MLP, NOT_QUERY, READS, Basis, declare, moved, network, one_basis, query_bases,
                    same_function, shapes, start, telescoped)
from .matrix import Matrix, block_diagonal, fill, identity, inverse, zeros
from .statements import Singular, admit, nonzero
from .transformer import Attention, attend, transformer


def single_layer_invertible(size, instance):
    s, net = start(size, instance), network(size, "both")
    t = Singular(s, "W_Q.1", size["d"])
    weights = declare(s, net, given={"W_Q.1": t.matrix}, invertible=False)
    same_function(s, "both skips, layer 1", net, weights,
                  lambda w: one_basis(w, net, Basis(t.matrix(), t.pseudo_inverse()), [1]))
    return s


def single_layer_tied(size, instance):
    s, net = start(size, instance), network(size, "both", tied=True)
    weights = declare(s, net)

    def survives():
        t, readout = s["W_Q.1"], s["E"].T
        return t @ t.T @ readout == readout

    s.require("T T^T E^T differs from E^T", lambda: not survives())
    same_function(s, "tied readout, layer 1", net, weights, lambda w: one_basis(w, net, Basis(w["W_Q.1"]), [1]))
    return s


def single_layer_norm(size, instance):
    s, net = start(size, instance), network(size, "both", norm="pre", norm_kind="rms")
    weights = declare(s, net, zero=MLP)
    same_function(s, "RMS norms, layer 1", net, weights, lambda w: one_basis(w, net, Basis(w["W_Q.1"]), [1]))
    return s


def telescope_invertible(size, instance):
    s, net = start(size, instance), network(size, "attention", readout=False)
    t = Singular(s, "W_Q.1", size["d"])
    weights = declare(s, net, given={"W_Q.1": t.matrix}, invertible=False)

    def change(w):
        later = [Basis(w[f"W_Q.{layer}"]) for layer in range(2, net.layers + 1)]
        return telescoped(w, net, [Basis(t.matrix(), t.pseudo_inverse()), *later, Basis(identity(size["d"]))])

    same_function(s, "a skip around attention only", net, weights, change)
    return s


def telescope_tied(size, instance):
    s, net = start(size, instance), network(size, "attention", tied=True)
    same_function(s, "tied readout", net, declare(s, net), lambda w: telescoped(w, net, query_bases(w, net)))
    return s


def telescope_both_skips(size, instance):
    s, net = start(size, instance), network(size, "both", readout=False)
    weights = declare(s, net, shared=KEEP_SHARED, zero=MLP)
    same_function(s, "both skips, last residual stream", net, weights,
                  lambda w: telescoped(w, net, query_bases(w, net)))
    return s


def telescope_absorbed(size, instance):
    """The stream may end in the last layer's basis."""
    s, net = start(size, instance), network(size, "both", readout=False)
    weights = declare(s, net, shared=KEEP_SHARED, zero=MLP)

    def sides(arithmetic):
        w = weights()
        bases = query_bases(w, net)
        bases[-1] = bases[-2]
        return (transformer(arithmetic, w, net) @ bases[-1].matrix,
                transformer(arithmetic, telescoped(w, net, bases), net))

    s.equation("both skips, last residual stream in the basis of W_Q.L", sides)
    return s


def shared_invertible(size, instance):
    s, net = start(size, instance), network(size, "both", readout=False)
    t = Singular(s, "W_Q", size["d"])
    layers = range(1, size["L"] + 1)
    weights = declare(s, net, shared=NOT_QUERY, given={f"W_Q.{layer}": t.matrix for layer in layers}, invertible=False)

    def sides(arithmetic):
        w, basis = weights(), Basis(t.matrix(), t.pseudo_inverse())
        changed = one_basis(w, net, basis, layers)
        return transformer(arithmetic, w, net), transformer(arithmetic, changed, net) @ basis.inverse

    s.equation("last residual stream", sides)
    return s


def shared_query_differs(size, instance):
    """Different queries in the basis of the first; the MLPs are zero, all other weights shared."""
    admit(size["L"] >= 2, "two layers")
    s, net = start(size, instance), network(size, "both", readout=False)
    weights = declare(s, net, shared=KEEP_SHARED, zero=MLP)
    s.require("W_Q.1 differs from W_Q.2", lambda: not s["W_Q.1"] == s["W_Q.2"])

    def sides(arithmetic):
        w = weights()
        changed = one_basis(w, net, Basis(w["W_Q.1"]), range(1, net.layers + 1))
        return transformer(arithmetic, w, net) @ w["W_Q.1"], transformer(arithmetic, changed, net)

    s.equation("last residual stream in the basis of W_Q.1", sides)
    return s


def _wrapped_identity(rows, columns):
    """0-1: the identity, continued or cut off."""
    return Matrix([[Fraction(int(i % columns == j % rows)) for j in range(columns)] for i in range(rows)])


def _blocks_equal(b, k, members):
    """Block-diagonal with blocks of width k, equal inside groups of `members` blocks."""
    rows = b.rows
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            if i // k != j // k:
                if entry != 0:
                    return False
            else:
                first = i // k // members * members * k
                if entry != rows[first + i % k][first + j % k]:
                    return False
    return True


def _head_basis(size, instance, label, attention, dense, free_embedding):
    """W_Q.1 = I and W_Q.l = B.l; B_l's diagonal blocks go into W_K instead. MLPs zero, the rest 0-1 matrices."""
    admit(size["L"] >= 2, "two layers")
    d, g, k, h = size["d"], size["g"], size["k"], size["h"]
    s, net = start(size, instance), network(size, "both", attention=attention, readout=False)
    if free_embedding:
        s.input("E", size["n"], d)
    for layer in range(2, size["L"] + 1):
        name = f"B.{layer}"
        s.input(name, d, d)
        if not dense:
            s.require(f"{name} is block-diagonal", lambda name=name: _blocks_equal(s[name], k, h // g))
    if dense:
        s.require("B.2 is not zero right of its first diagonal block", lambda: nonzero(s["B.2"].block(0, k, k, d - k)))

    def sides(arithmetic):
        w = {name: zeros(*shape) if name[:3] in ("W_1", "W_2") else _wrapped_identity(*shape)
             for name, shape in shapes(size, net).items()}
        if free_embedding:
            w["E"] = s["E"]
        changed = dict(w)
        for layer in range(1, size["L"] + 1):
            b = identity(d) if layer == 1 else s[f"B.{layer}"]
            firsts = [b.block(j * h // g * k, j * h // g * k, k, k).T for j in range(g)]
            w[f"W_Q.{layer}"] = b
            changed.update({f"W_K.{layer}": w[f"W_K.{layer}"] @ block_diagonal(firsts), f"W_Q.{layer}": identity(d)})
        return transformer(arithmetic, w, net), transformer(arithmetic, changed, net)

    s.equation(label, sides)
    return s


def head_basis_dense(size, instance):
    admit(size["h"] >= 2, "two heads")
    return _head_basis(size, instance, "dense factor", {}, True, False)


def head_basis_norm(size, instance):
    return _head_basis(size, instance, "QK-norm", {"qk_norm_eps": Fraction(1)}, False, True)


def head_basis_rope(size, instance):
    admit(size["k"] % 2 == 0, "RoPE needs an even k")
    turns = [(Fraction(0), Fraction(1))] + [(Fraction(3, 5), Fraction(4, 5))] * (size["k"] // 2 - 1)
    return _head_basis(size, instance, "RoPE", {"rotation": Matrix(zip(*turns))}, False, False)


def bias_left_out(size, instance):
    """T = W_Q without a shift, and the query bias dropped. Only the query has a bias, the MLPs are zero."""
    s, net = start(size, instance), network(size, "both", readout=False)
    weights = declare(s, net, shared=("W_Q", "b_Q", "W_K", "W_V", "W_O"),
                      zero=("W_1", "b_1", "W_2", "b_2", "b_K", "b_V", "b_O"), biases=True)
    s.require("b_Q is not zero", lambda: nonzero(weights()["b_Q.1"]))

    def sides(arithmetic):
        w, layers = weights(), range(1, size["L"] + 1)
        changed = one_basis(w, net, Basis(w["W_Q.1"]), layers)
        changed.update({f"b_Q.{layer}": zeros(1, size["d"]) for layer in layers})
        return transformer(arithmetic, w, net) @ w["W_Q.1"], transformer(arithmetic, changed, net)

    s.equation("last residual stream in the basis of W_Q.1", sides)
    return s


def bias_invertible(size, instance):
    """The affine change with a singular W_Q.1 and its pseudo-inverse; the only bias is b_Q."""
    s, net = start(size, instance), network(size, "attention", readout=False)
    t = Singular(s, "W_Q.1", size["d"])
    weights = declare(s, net, zero=("b_1", "b_2", "b_K", "b_V", "b_O"), given={"W_Q.1": t.matrix}, biases=True,
                      invertible=False)

    def change(w):
        layers = range(1, net.layers + 1)
        bases = [Basis(w[f"W_Q.{layer}"], t.pseudo_inverse() if layer == 1 else None, w[f"b_Q.{layer}"])
                 for layer in layers]
        changed = telescoped(w, net, [*bases, Basis(identity(size["d"]))])
        return {**changed, **{f"b_Q.{layer}": zeros(1, size["d"]) for layer in layers}}

    same_function(s, "a skip around attention only", net, weights, change)
    return s


def rope_invertible(size, instance):
    """The lemma with a singular T under ALiBi of slopes 1."""
    n, d, h, g, k = (size[count] for count in "ndhgk")
    s = start(size, instance, "ndhgk")
    s.input("X", n, d)
    t = Singular(s, "T", d)
    attention = Attention(h=h, g=g, k=k, mask=("causal",), slopes=fill(1, h, 1))
    _one_layer(s)

    def sides(arithmetic):
        x, w = s["X"], _projections(s)
        changed = {**w, **{name: t.pseudo_inverse() @ w[name] for name in READS}}
        y = x @ t.matrix()
        return attend(arithmetic, x, x, w, attention), attend(arithmetic, y, y, changed, attention)

    s.equation("lemma, ALiBi", sides)
    return s


def rope_keys(size, instance):
    """Cross-attention: the other stream keeps its basis, but its W_K and W_V are changed as if it had gone along."""
    n, d, h, g, k = (size[count] for count in "ndhgk")
    s = start(size, instance, "ndhgk")
    for name, rows in (("X", n), ("Z", n), ("T", d)):
        s.input(name, rows, d)
    s.invertible("T")
    _one_layer(s)

    def sides(arithmetic):
        w, attention = _projections(s), Attention(h=h, g=g, k=k)
        changed = {**w, **{name: inverse(s["T"]) @ w[name] for name in READS}}
        return (attend(arithmetic, s["X"], s["Z"], w, attention),
                attend(arithmetic, s["X"] @ s["T"], s["Z"], changed, attention))

    s.equation("cross-attention", sides)
    return s


def _one_layer(s):
    d, h, g, k = (s.size[count] for count in "dhgk")
    for name, shape in (("W_Q", (d, h * k)), ("W_K", (d, g * k)), ("W_V", (d, g * k)), ("W_O", (h * k, d))):
        s.input(name, *shape)


def _projections(s):
    return {name: s[name] for name in ("W_Q", "W_K", "W_V", "W_O")}


def local_bases(size, instance):
    """Both skips, and a basis of its own at every place; equal logits."""
    s, net = start(size, instance), network(size, "both", readout=False)
    weights = declare(s, net, zero=("W_Q", "W_K"))
    names = [f"T.{place}" for place in range(2 * size["L"] + 1)]
    for name in names:
        s.input(name, size["d"], size["d"])
        s.invertible(name)
    s.require("not all bases are equal", lambda: any(not s[name] == s["T.0"] for name in names))

    def sides(arithmetic):
        w = weights()
        changed = moved(w, net, [Basis(s[name]) for name in names])
        return transformer(arithmetic, w, net) @ s[names[-1]], transformer(arithmetic, changed, net)

    s.equation("last residual stream in the basis T.N", sides)
    return s


def skipless_with_skip(size, instance):
    """W_Q into the layer before and W_O into W_1, although attention has a skip."""
    s, net = start(size, instance), network(size, "attention", readout=False)

    def change(w):
        changed = telescoped(w, net, query_bases(w, net))
        for layer in range(1, net.layers + 1):
            changed[f"W_1.{layer}"] = changed[f"W_O.{layer}"] @ changed[f"W_1.{layer}"]
            changed[f"W_O.{layer}"] = identity(size["d"])
        return changed

    same_function(s, "serial with a skip around attention", net, declare(s, net), change)
    return s


def skipless_invertible(size, instance):
    s, net = start(size, instance), network(size, "none", readout=False)
    t = Singular(s, "W_Q.1", size["d"])
    weights = declare(s, net, given={"W_Q.1": t.matrix}, invertible=False)

    def change(w):
        later = [Basis(w[f"W_Q.{layer}"]) for layer in range(2, net.layers + 1)]
        return telescoped(w, net, [Basis(t.matrix(), t.pseudo_inverse()), *later, Basis(identity(size["d"]))])

    same_function(s, "serial, W_Q removed", net, weights, change)
    return s


def parallel_both(size, instance):
    """Parallel blocks without skips: every W_Q and all but the last W_O become I."""
    admit(size["L"] >= 2, "two layers")
    h, g, k = size["h"], size["g"], size["k"]
    s, net = start(size, instance), network(size, "none", parallel=True, readout=False)
    weights = declare(s, net, shared=NOT_QUERY)

    def changed(w, absorb):
        v = telescoped(w, net, query_bases(w, net))
        for layer in range(1, net.layers):
            junction = w[f"W_O.{layer}"] @ w[f"W_Q.{layer + 1}"]
            if absorb:
                firsts = [junction.block(j * h // g * k, j * h // g * k, k, k) for j in range(g)]
                v[f"W_V.{layer}"] = v[f"W_V.{layer}"] @ block_diagonal(firsts)
            v[f"W_O.{layer}"] = identity(size["d"])
        return v

    same_function(s, "the serial formulas", net, weights, lambda w: changed(w, False))
    if h > 1:
        same_function(s, "the diagonal blocks of W_O W_Q absorbed in W_V", net, weights, lambda w: changed(w, True))
    return s


SIDES = {
    ("reparam.single_layer", "without:invertible"): single_layer_invertible,
    ("reparam.single_layer", "without:untied_readout"): single_layer_tied,
    ("reparam.single_layer", "without:no_norm"): single_layer_norm,
    ("reparam.telescope", "without:invertible"): telescope_invertible,
    ("reparam.telescope", "without:untied_readout"): telescope_tied,
    ("reparam.telescope", "without:one_skip_missing"): telescope_both_skips,
    ("reparam.telescope", "without:one_skip_missing_absorbed"): telescope_absorbed,
    ("reparam.shared_weights", "without:invertible"): shared_invertible,
    ("reparam.shared_weights", "without:sharing"): shared_query_differs,
    ("reparam.shared_query_only", "without:invertible"): shared_invertible,
    ("reparam.shared_query_only", "without:same_query"): shared_query_differs,
    ("reparam.head_basis", "without:block_diagonal"): head_basis_dense,
    ("reparam.head_basis", "without:no_qk_norm"): head_basis_norm,
    ("reparam.head_basis", "without:no_rope"): head_basis_rope,
    ("reparam.bias", "without:affine"): bias_left_out,
    ("reparam.bias", "without:invertible"): bias_invertible,
    ("reparam.rope", "without:invertible"): rope_invertible,
    ("reparam.rope", "without:keys_keep_basis"): rope_keys,
    ("reparam.local_basis", "without:equal_bases"): local_bases,
    ("reparam.skipless", "without:no_skip"): skipless_with_skip,
    ("reparam.skipless", "without:invertible"): skipless_invertible,
    ("reparam.skipless_parallel_both", "claim"): parallel_both,
}
