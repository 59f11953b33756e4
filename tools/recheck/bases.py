"""Networks in other bases of the residual stream.

The networks are causal, relu, with n tokens out of a vocabulary of n and h k = d; the stream x becomes x T + t. A
read W at a place with basis T becomes T^-1 W (bias b - t T^-1 W), a write becomes W T (bias b T, plus t where no skip
brings it).
"""

from .matrix import identity, inverse, zeros
from .statements import Statement, admit
from .transformer import Attention, Network, add_bias, transformer

ALL = "ndhgkLm"
READS = ("W_Q", "W_K", "W_V")
BIAS = {"W_Q": "b_Q", "W_K": "b_K", "W_V": "b_V", "W_O": "b_O", "W_1": "b_1", "W_2": "b_2"}
KEEP_SHARED = ("W_K", "W_V", "W_O")
MLP = ("W_1", "W_2")
NOT_QUERY = KEEP_SHARED + MLP
SKIPS = {"both": (True, True), "attention": (True, False), "mlp": (False, True), "none": (False, False)}


class Basis:
    def __init__(self, matrix, inverted=None, shift=None):
        self.matrix = matrix
        self.inverse = inverse(matrix) if inverted is None else inverted
        self.shift = shift


def start(size, instance, counts=ALL):
    admit(size["h"] % size["g"] == 0 and size["h"] * size["k"] == size["d"], "g divides h and h k = d")
    return Statement(size, instance, counts)


def network(size, skips, attention=None, **options):
    attention_skip, mlp_skip = SKIPS[skips]
    return Network(layers=size["L"], tokens=size["n"],
                   attention=Attention(h=size["h"], g=size["g"], k=size["k"], mask=("causal",), **(attention or {})),
                   attention_skip=[attention_skip] * size["L"], mlp_skip=[mlp_skip] * size["L"], **options)


def shapes(size, net, biases=False):
    """Every weight of the network: name and shape."""
    n, d, h, g, k, m = (size[count] for count in "ndhgkm")
    layer = {"W_Q": (d, h * k), "W_K": (d, g * k), "W_V": (d, g * k), "W_O": (h * k, d), "W_1": (d, m), "W_2": (m, d)}
    if biases:
        layer.update({bias: (1, layer[weight][1]) for weight, bias in BIAS.items()})
    named = {"E": (n, d)}
    for number in range(1, size["L"] + 1):
        named.update({f"{base}.{number}": shape for base, shape in layer.items()})
    if net.readout and not net.tied:
        named["U"] = (d, n)
    return named


def declare(statement, net, shared=(), zero=(), given=None, biases=False, invertible=True):
    """The network's weights as inputs, each W_Q invertible; gives a function that reads them.

    shared: bases with one matrix for all layers; zero: bases that are zero; given: functions by base for W_Q.
    """
    size, given = statement.size, given or {}
    sources = {}
    for name, shape in shapes(size, net, biases).items():
        base = name.split(".")[0]
        if name in given:
            sources[name] = given[name]
        elif base in zero:
            sources[name] = lambda shape=shape: zeros(*shape)
        else:
            own = name if base not in shared or "." not in name else base if size["L"] > 1 else f"{base}.1"
            if base == "W_Q" and invertible and own not in statement.inputs:
                statement.invertible(own)
            statement.input(own, *shape)
            sources[name] = lambda own=own: statement[own]
    return lambda: {name: source() for name, source in sources.items()}


def _read(w, name, basis):
    base, _, layer = name.partition(".")
    w[name] = basis.inverse @ w[name]
    bias = f"{BIAS.get(base)}.{layer}"
    if basis.shift is not None and base != "U":
        w[bias] = w[bias] - basis.shift @ w[name]


def _write(w, name, basis, carried):
    base, _, layer = name.partition(".")
    w[name] = w[name] @ basis.matrix
    bias = f"{BIAS[base]}.{layer}"
    if bias in w:
        w[bias] = w[bias] @ basis.matrix
        if basis.shift is not None and not carried:
            w[bias] = w[bias] + basis.shift


def moved(weights, net, places):
    """The weights in other bases: places[0] is read by layer 1, then one a sub-layer (parallel: one a block)."""
    w = dict(weights)
    w["E"] = add_bias(w["E"] @ places[0].matrix, places[0].shift)
    for layer in range(1, net.layers + 1):
        if net.parallel:
            before, after = places[layer - 1:layer + 1]
            between = before
        else:
            before, between, after = places[2 * layer - 2:2 * layer + 1]
        for base in READS:
            _read(w, f"{base}.{layer}", before)
        _write(w, f"W_O.{layer}", after if net.parallel else between, net.attention_skip[layer - 1])
        _read(w, f"W_1.{layer}", between)
        _write(w, f"W_2.{layer}", after, net.mlp_skip[layer - 1])
    if "U" in w:
        _read(w, "U", places[-1])
    return w


def one_basis(weights, net, basis, layers):
    """The same basis everywhere; the listed layers' queries become I."""
    w = moved(weights, net, [basis] * (2 * net.layers + 1))
    return {**w, **{f"W_Q.{layer}": identity(w["E"].shape[1]) for layer in layers}}


def telescoped(weights, net, bases):
    """T_l along layer l's attention skip, T_(l+1) along its MLP skip, I in between without skips; queries become I."""
    d = weights["E"].shape[1]
    places = []
    for layer in range(net.layers):
        between = (bases[layer] if net.attention_skip[layer] else
                   bases[layer + 1] if net.mlp_skip[layer] else Basis(identity(d)))
        places += [bases[layer]] if net.parallel else [bases[layer], between]
    w = moved(weights, net, places + [bases[net.layers]])
    return {**w, **{f"W_Q.{layer}": identity(d) for layer in range(1, net.layers + 1)}}


def query_bases(weights, net):
    queries = [Basis(weights[f"W_Q.{layer}"]) for layer in range(1, net.layers + 1)]
    return queries + [Basis(identity(weights["E"].shape[1]))]


def same_function(statement, label, net, weights, change):
    def sides(arithmetic):
        w = weights()
        return transformer(arithmetic, w, net), transformer(arithmetic, change(w), net)
    statement.equation(label, sides)
