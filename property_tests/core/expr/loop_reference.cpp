#include "property_tests/core/expr/loop_reference.h"

#include <sstream>

namespace attest::test {
namespace {

using boost::multiprecision::cpp_int;

// Integer and exponent of a number m 2^e, m an integer.
Rational exact(const Real& value) {
  if (value == 0) return 0;
  int exponent = 0;
  constexpr int bits = 400;  // more than a mantissa has
  const Real mantissa = boost::multiprecision::ldexp(boost::multiprecision::frexp(value, &exponent), bits);
  std::ostringstream digits;
  digits << cpp_int(mantissa);
  Rational result{Integer(digits.str())};
  const int power = exponent - bits;
  if (power >= 0)
    mpq_mul_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(power));
  else
    mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(-power));
  return result;
}

Real product_entry(const Table& a, std::size_t i, const Table& b, std::size_t j) {
  Real sum = 0;
  for (std::size_t r = 0; r < a.cols; ++r) sum += a.at(i, r) * b.at(r, j);
  return sum;
}

Table product(const Table& a, const Table& b) {
  Table result(a.rows, b.cols);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < b.cols; ++j) result.at(i, j) = product_entry(a, i, b, j);
  return result;
}

// a b + bias in every row; the bias may be missing.
Table affine(const Table& a, const Tables& weights, const std::string& weight, const std::string& bias) {
  Table result = product(a, weights.at(weight));
  const auto found = weights.find(bias);
  if (found == weights.end()) return result;
  for (std::size_t i = 0; i < result.rows; ++i)
    for (std::size_t j = 0; j < result.cols; ++j) result.at(i, j) += found->second.at(0, j);
  return result;
}

std::vector<Real> head_row(const Table& projected, std::size_t row, std::size_t head, const LoopAttention& options,
                           std::size_t position) {
  const std::size_t k = options.width;
  std::vector<Real> x(k);
  for (std::size_t c = 0; c < k; ++c) x[c] = projected.at(row, head * k + c);
  if (options.qk_norm_eps) {
    Real squares = 0;
    for (const Real& entry : x) squares += entry * entry;
    for (Real& entry : x) entry /= sqrt(squares / k + *options.qk_norm_eps);
  }
  for (std::size_t c = 0; c < options.angles.size(); ++c) {
    Real& first = x[options.interleaved ? 2 * c : c];
    Real& second = x[options.interleaved ? 2 * c + 1 : c + k / 2];
    const Real angle = options.angles[c] * position, old_first = first;
    first = old_first * cos(angle) - second * sin(angle);
    second = old_first * sin(angle) + second * cos(angle);
  }
  return x;
}

bool sees(const expr::Mask& mask, std::size_t position, std::size_t key) {
  if (mask.kind == expr::Mask::Kind::none) return true;
  if (key > position) return false;
  return mask.kind == expr::Mask::Kind::causal || position - key < static_cast<std::size_t>(mask.width);
}

// 2/sqrt(pi) e^(-x^2) sum_n 2^n x^(2n+1) / (1 3 5 ... (2n+1)): all terms of one sign.
Real error_function(const Real& x) {
  Real term = x, sum = x;
  for (int n = 1; abs(term) > abs(sum) * Real("1e-105"); ++n) {
    term *= 2 * x * x / (2 * n + 1);
    sum += term;
  }
  const Real pi = 4 * atan(Real(1));
  return 2 / sqrt(pi) * exp(-x * x) * sum;
}

Real activate(expr::Function f, const Real& x) {
  const Real pi = 4 * atan(Real(1));
  switch (f) {
    case expr::Function::relu:
      return x > 0 ? x : Real(0);
    case expr::Function::relu_squared:
      return x > 0 ? Real(x * x) : Real(0);
    case expr::Function::gelu:
      return x * (1 + error_function(x / sqrt(Real(2)))) / 2;
    case expr::Function::gelu_tanh:
      return x * (1 + tanh(sqrt(2 / pi) * (x + Real("0.044715") * x * x * x))) / 2;
    case expr::Function::silu:
      return x / (1 + exp(-x));
    case expr::Function::tanh:
      return tanh(x);
    default:
      throw std::logic_error("not an activation");
  }
}

Table sum(Table a, const Table& b) {
  for (std::size_t i = 0; i < a.entries.size(); ++i) a.entries[i] += b.entries[i];
  return a;
}

Table normalized(Table x, const Tables& weights, const std::string& suffix, const expr::TransformerSpec& spec) {
  const bool layer = spec.norm_kind == expr::NormKind::layer;
  const Real eps = table_of([&] {
                     RationalMatrix one(1, 1);
                     one.at(0, 0) = spec.norm_eps;
                     return one;
                   }())
                       .at(0, 0);
  for (std::size_t i = 0; i < x.rows; ++i) {
    Real mean = 0, squares = 0;
    for (std::size_t j = 0; layer && j < x.cols; ++j) mean += x.at(i, j) / x.cols;
    for (std::size_t j = 0; j < x.cols; ++j) squares += (x.at(i, j) - mean) * (x.at(i, j) - mean);
    for (std::size_t j = 0; j < x.cols; ++j) {
      x.at(i, j) = (x.at(i, j) - mean) / sqrt(squares / x.cols + eps);
      if (spec.norm_affine) x.at(i, j) *= weights.at("gamma_" + suffix).at(0, j);
      if (spec.norm_affine && layer) x.at(i, j) += weights.at("beta_" + suffix).at(0, j);
    }
  }
  return x;
}

Table loop_mlp(const Table& x, const Tables& weights, const std::string& layer, const expr::TransformerSpec& spec) {
  Table hidden =
      spec.gated ? product(x, weights.at("W_gate" + layer)) : affine(x, weights, "W_1" + layer, "b_1" + layer);
  for (Real& entry : hidden.entries) entry = activate(spec.activation, entry);
  if (!spec.gated) return affine(hidden, weights, "W_2" + layer, "b_2" + layer);
  const Table up = product(x, weights.at("W_up" + layer));
  for (std::size_t i = 0; i < hidden.entries.size(); ++i) hidden.entries[i] *= up.entries[i];
  return product(hidden, weights.at("W_down" + layer));
}

Tables layer_projections(const Tables& weights, const std::string& layer) {
  Tables projections;
  for (const char* name : {"W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O"}) {
    const auto found = weights.find(name + layer);
    if (found != weights.end()) projections[name] = found->second;
  }
  return projections;
}

Table loop_block(Table x, const Tables& weights, std::int64_t number, const expr::TransformerSpec& spec,
                 const LoopAttention& options) {
  const std::string layer = "." + std::to_string(number);
  const auto skip = [&](const std::vector<bool>& skips) {
    return skips.empty() || skips[static_cast<std::size_t>(number - 1)];
  };
  const bool pre = spec.norm == expr::NormPlace::pre, post = spec.norm == expr::NormPlace::post;
  const Table read = pre ? normalized(x, weights, "1" + layer, spec) : x;
  Table written = loop_attention(read, read, layer_projections(weights, layer), options);
  if (spec.parallel) written = sum(written, loop_mlp(read, weights, layer, spec));
  x = skip(spec.attention_skip) ? sum(x, written) : written;
  if (post) x = normalized(x, weights, "1" + layer, spec);
  if (spec.parallel) return x;
  written = loop_mlp(pre ? normalized(x, weights, "2" + layer, spec) : x, weights, layer, spec);
  x = skip(spec.mlp_skip) ? sum(x, written) : written;
  return post ? normalized(x, weights, "2" + layer, spec) : x;
}

}  // namespace

Table table_of(const RationalMatrix& matrix) {
  Table table(static_cast<std::size_t>(matrix.rows), static_cast<std::size_t>(matrix.cols));
  for (std::size_t i = 0; i < table.entries.size(); ++i)
    table.entries[i] = Real(matrix.entries[i].get_num().get_str()) / Real(matrix.entries[i].get_den().get_str());
  return table;
}

RationalMatrix rational_of(const Table& table) {
  RationalMatrix matrix(static_cast<std::int64_t>(table.rows), static_cast<std::int64_t>(table.cols));
  for (std::size_t i = 0; i < table.entries.size(); ++i) matrix.entries[i] = exact(table.entries[i]);
  return matrix;
}

RationalMatrix random_matrix(expr::Shape shape, RandomStream stream) {
  RationalMatrix matrix(shape.rows, shape.cols);
  for (Rational& entry : matrix.entries) {
    entry = Rational(stream.integer(-8, 8), 8);
    entry.canonicalize();
  }
  return matrix;
}

Table loop_attention(const Table& X, const Table& Z, const Tables& weights, const LoopAttention& options) {
  const Table Q = affine(X, weights, "W_Q", "b_Q"), K = affine(Z, weights, "W_K", "b_K");
  const Table V = affine(Z, weights, "W_V", "b_V");
  const std::size_t k = options.width, sharing = options.heads / options.kv_heads;
  const Real scale = options.scale ? *options.scale : 1 / sqrt(Real(k));
  Table heads(X.rows, options.heads * k);
  for (std::size_t i = 0; i < X.rows; ++i)
    for (std::size_t head = 0; head < options.heads; ++head) {
      const std::size_t kv = head / sharing, position = i + Z.rows - X.rows;
      const std::vector<Real> q = head_row(Q, i, head, options, position);
      Real total = 0;
      for (std::size_t j = 0; j < Z.rows; ++j) {
        if (!sees(options.mask, position, j)) continue;
        const std::vector<Real> key = head_row(K, j, kv, options, j);
        Real logit = 0;
        for (std::size_t c = 0; c < k; ++c) logit += scale * q[c] * key[c];
        if (options.additive) logit += options.additive->at(i, j);
        if (!options.slopes.empty()) logit += options.slopes[head] * (Real(j) - Real(position));
        const Real weight = exp(logit);
        total += weight;
        for (std::size_t c = 0; c < k; ++c) heads.at(i, head * k + c) += weight * V.at(j, kv * k + c);
      }
      for (std::size_t c = 0; c < k; ++c) heads.at(i, head * k + c) /= total;
    }
  return affine(heads, weights, "W_O", "b_O");
}

Table loop_transformer(const Tables& weights, const expr::TransformerSpec& spec, const LoopAttention& attention) {
  const Table& E = weights.at("E");
  Table x(static_cast<std::size_t>(spec.tokens), E.cols);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t j = 0; j < x.cols; ++j) {
      x.at(i, j) = E.at(i % E.rows, j);
      if (spec.positions) x.at(i, j) += weights.at("Pos").at(i, j);
    }
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer) x = loop_block(x, weights, layer, spec, attention);
  if (spec.norm == expr::NormPlace::pre) x = normalized(x, weights, "f", spec);
  if (!spec.readout) return x;
  if (!spec.tied) return product(x, weights.at("U"));
  Table scores(x.rows, E.rows);
  for (std::size_t i = 0; i < x.rows; ++i)
    for (std::size_t token = 0; token < E.rows; ++token)
      for (std::size_t j = 0; j < x.cols; ++j) scores.at(i, token) += x.at(i, j) * E.at(token, j);
  return scores;
}

}  // namespace attest::test
