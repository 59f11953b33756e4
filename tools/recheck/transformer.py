"""Attention, MLP and transformer blocks on rows as tokens, written from their definitions.

Head i of h reads KV head floor(i g / h); logits are s Q_i K_j^T plus additive terms; the weights of a row are the
softmax of its visible logits; outputs are side by side, times W_O.
"""

from dataclasses import dataclass
from fractions import Fraction

from .interval import Undefined
from .matrix import Matrix, side_by_side


@dataclass
class Attention:
    h: int = 1
    g: int = 1
    k: int = 1
    mask: tuple = ("none",)  # ("none",), ("causal",), ("window", width)
    scale: object = None  # a number; 1/sqrt(k) unless given
    additive: Matrix = None  # added to the logits of every head
    slopes: Matrix = None  # 1 x h, ALiBi
    rotation: Matrix = None  # 2 x k/2: cosines over sines of the one-step angles
    halves: bool = False  # RoPE pairs (c, c + k/2) instead of (2c, 2c + 1)
    qk_norm_eps: Fraction = None


def visible(mask, i, j, n_q, n_k):
    last = i + n_k - n_q
    if mask[0] == "none":
        return True
    return j <= last and (mask[0] == "causal" or j > last - mask[1])


def softmax(arithmetic, logits, mask=("none",)):
    n_q, n_k = logits.shape
    rows = []
    for i, row in enumerate(logits.rows):
        seen = [j for j in range(n_k) if visible(mask, i, j, n_q, n_k)]
        if not seen:
            raise Undefined("softmax of a row without a visible key")
        weights = arithmetic.exp_quotients([row[j] for j in seen])
        full = [Fraction(0)] * n_k
        for j, weight in zip(seen, weights):
            full[j] = weight
        rows.append(full)
    return Matrix(rows)


def add_bias(y, b):
    """b, 1 x m, added to every row."""
    if b is None:
        return y
    return Matrix([[a + c for a, c in zip(row, b.rows[0])] for row in y.rows])


def scale_rows(factors, x):
    return Matrix([[f * a for a in row] for f, row in zip(factors, x.rows)])


def rms_norm(arithmetic, x, eps, gamma=None):
    d = x.shape[1]
    factors = [arithmetic.inv_sqrt(sum((a * a for a in row), Fraction(0)) * Fraction(1, d) + eps) for row in x.rows]
    normed = scale_rows(factors, x)
    return normed if gamma is None else Matrix([[a * c for a, c in zip(row, gamma.rows[0])] for row in normed.rows])


def center(x):
    d = x.shape[1]
    means = [sum(row, Fraction(0)) * Fraction(1, d) for row in x.rows]
    return Matrix([[a - mean for a in row] for mean, row in zip(means, x.rows)])


def layer_norm(arithmetic, x, eps, gamma=None, beta=None):
    return add_bias(rms_norm(arithmetic, center(x), eps, gamma), beta)


def rotate(x, attention, first_position):
    """Row r turned by (first_position + r) steps in every plane."""
    k = attention.k
    rows = []
    for r, row in enumerate(x.rows):
        turned = list(row)
        for c in range(k // 2):
            a, b = (c, c + k // 2) if attention.halves else (2 * c, 2 * c + 1)
            cosine, sine = attention.rotation.rows[0][c], attention.rotation.rows[1][c]
            u, v = row[a], row[b]
            for _ in range(first_position + r):
                u, v = u * cosine - v * sine, u * sine + v * cosine
            turned[a], turned[b] = u, v
        rows.append(turned)
    return Matrix(rows)


def logits_of(arithmetic, x, z, w, attention):
    """The logits of every head, before masking. w: W_Q, W_K and optionally b_Q, b_K by name."""
    k, n_q, n_k = attention.k, x.shape[0], z.shape[0]
    queries = add_bias(x @ w["W_Q"], w.get("b_Q"))
    keys = add_bias(z @ w["W_K"], w.get("b_K"))
    scale = arithmetic.inv_sqrt(Fraction(k)) if attention.scale is None else attention.scale

    def prepared(head, first_position):
        if attention.qk_norm_eps is not None:
            head = rms_norm(arithmetic, head, attention.qk_norm_eps)
        return head if attention.rotation is None else rotate(head, attention, first_position)

    heads = []
    for i in range(attention.h):
        q = prepared(queries.columns(i * k, k), n_k - n_q)
        key = prepared(keys.columns(i * attention.g // attention.h * k, k), 0)
        logits = scale * (q @ key.T)
        if attention.additive is not None:
            logits = logits + attention.additive
        if attention.slopes is not None:
            slope = attention.slopes.rows[0][i]
            logits = Matrix([[a + slope * (j - (r + n_k - n_q)) for j, a in enumerate(row)]
                             for r, row in enumerate(logits.rows)])
        heads.append(logits)
    return heads


def attend(arithmetic, x, z, w, attention):
    """Multi-head attention of the stream x to the stream z."""
    k = attention.k
    values = add_bias(z @ w["W_V"], w.get("b_V"))
    outputs = [softmax(arithmetic, logits, attention.mask) @ values.columns(i * attention.g // attention.h * k, k)
               for i, logits in enumerate(logits_of(arithmetic, x, z, w, attention))]
    return add_bias(side_by_side(outputs) @ w["W_O"], w.get("b_O"))


def activate(arithmetic, name, y):
    return y.map(lambda a: arithmetic.activation(name, a))


def mlp(arithmetic, y, w, activation):
    """f(Y W_1 + b_1) W_2 + b_2, or (f(Y W_gate) o (Y W_up)) W_down where w has W_gate."""
    if "W_gate" in w:
        return activate(arithmetic, activation, y @ w["W_gate"]).hadamard(y @ w["W_up"]) @ w["W_down"]
    hidden = activate(arithmetic, activation, add_bias(y @ w["W_1"], w.get("b_1")))
    return add_bias(hidden @ w["W_2"], w.get("b_2"))


@dataclass
class Network:
    layers: int
    attention: Attention
    activation: str = "relu"
    attention_skip: list = None  # one a layer; None: all present
    mlp_skip: list = None
    parallel: bool = False
    norm: str = ""  # "", "pre" or "post"; no gains
    norm_kind: str = "layer"
    norm_eps: Fraction = Fraction(0)
    positions: bool = False
    readout: bool = True
    tied: bool = False
    tokens: int = 1


def layer_weights(weights, layer):
    """The weights of one layer without their layer number."""
    suffix = f".{layer}"
    return {name[:-len(suffix)]: value for name, value in weights.items() if name.endswith(suffix)}


def block(arithmetic, x, w, layer, network):
    attention_skip = network.attention_skip is None or network.attention_skip[layer - 1]
    mlp_skip = network.mlp_skip is None or network.mlp_skip[layer - 1]

    def norm(y):
        kind = layer_norm if network.norm_kind == "layer" else rms_norm
        return kind(arithmetic, y, network.norm_eps)

    read = norm if network.norm == "pre" else lambda y: y
    written = norm if network.norm == "post" else lambda y: y
    if network.parallel:
        y = read(x)
        total = attend(arithmetic, y, y, w, network.attention) + mlp(arithmetic, y, w, network.activation)
        return written(x + total if attention_skip else total)
    y = read(x)
    attended = attend(arithmetic, y, y, w, network.attention)
    x = written(x + attended if attention_skip else attended)
    changed = mlp(arithmetic, read(x), w, network.activation)
    return written(x + changed if mlp_skip else changed)


def embed(weights, network):
    """Tokens 0, 1, ... modulo the vocabulary, plus positions."""
    embedding = weights["E"]
    x = Matrix([embedding.rows[i % embedding.shape[0]] for i in range(network.tokens)])
    return x + weights["Pos"] if network.positions else x


def transformer(arithmetic, weights, network):
    x = embed(weights, network)
    for layer in range(1, network.layers + 1):
        x = block(arithmetic, x, layer_weights(weights, layer), layer, network)
    if network.norm == "pre":
        kind = layer_norm if network.norm_kind == "layer" else rms_norm
        x = kind(arithmetic, x, network.norm_eps)
    if not network.readout:
        return x
    return x @ (weights["E"].T if network.tied else weights["U"])
