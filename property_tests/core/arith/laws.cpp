#include "property_tests/core/arith/laws.h"

#include <algorithm>
#include <utility>

namespace attest::test {

using arith::Comparison;
using arith::Matrix;
using arith::Strength;
using expr::Function;
using expr::Mask;
using expr::Shape;
using expr::Structure;

Expectations expectations_of(const arith::Backend& backend) {
  const bool exact = backend.strength() == Strength::probable || backend.strength() == Strength::exact;
  const bool measures_only = backend.name() == "multiprecision";
  return {.never_unable = exact,
          .decides = exact,
          .real_functions = !backend.uses_stand_ins(),
          .knows_undefined = !measures_only,
          .bounded = !measures_only};
}

namespace {

RationalMatrix draw(RandomStream& stream, std::int64_t rows, std::int64_t cols) {
  const Entries kinds[] = {Entries::integers, Entries::fractions, Entries::dyadics};
  return random_matrix(kinds[stream.below(3)], rows, cols, stream);
}

std::int64_t size(RandomStream& stream) { return stream.integer(1, 5); }

}  // namespace

void LawRun::equal(const std::string& law, const Term& left, const Term& right, Kind kind) {
  const auto &a = left.outcome(), &b = right.outcome();
  if (!a.ok() || !b.ok()) {
    ++unanswered_[law];
    if (kind == Kind::rational && expected_.never_unable) fail(law, "no value: " + (a.ok() ? b.reason() : a.reason()));
    return;
  }
  ++answered_[law];
  if (a.value()->shape != b.value()->shape) return fail(law, "the two sides differ in shape");
  const Comparison result = backend_.compare(a.value(), b.value());
  measured_.push_back(result);
  worst_ratio_ = std::max(worst_ratio_, result.ratio);
  if (result.equal == Truth::no) fail(law, "the two sides are certainly different");
  if (!(result.ratio <= 1)) fail(law, "error over bound " + std::to_string(result.ratio));
  if (expected_.decides && result.equal != Truth::yes) fail(law, "equality is not decided");
}

void LawRun::different(const std::string& law, const Term& left, const Term& right) {
  const auto &a = left.outcome(), &b = right.outcome();
  if (!a.ok() || !b.ok()) {
    ++unanswered_[law];
    return;
  }
  ++answered_[law];
  const Comparison result = backend_.compare(a.value(), b.value());
  if (result.equal == Truth::yes) fail(law, "different matrices are called equal");
  if (expected_.decides && result.equal != Truth::no) fail(law, "the difference is not decided");
  if (expected_.bounded && result.equal != Truth::no && !(result.ratio > 1)) fail(law, "the difference is not seen");
}

void LawRun::without_value(const std::string& law, const Outcome<Matrix>& outcome, bool certain) {
  ++answered_[law];
  if (outcome.ok()) return fail(law, "a value where there is none");
  if (certain && outcome.status() != Status::undefined) fail(law, "not recognised as undefined: " + outcome.reason());
}

void LawRun::check_ring(RandomStream stream) {
  const std::int64_t m = size(stream), k = size(stream), l = size(stream), n = size(stream);
  const Term a = given(backend_, draw(stream, m, k)), b = given(backend_, draw(stream, k, l)),
             b2 = given(backend_, draw(stream, k, l)), c = given(backend_, draw(stream, l, n));
  const Term zero = fill(backend_, {k, l}, 0);
  equal("addition commutes", b + b2, b2 + b);
  equal("addition is associative", (b + b2) + b, b + (b2 + b));
  equal("zero is neutral", b + zero, b);
  equal("a matrix minus itself is zero", b - b, zero);
  equal("subtraction is adding the negative", b - b2, b + Rational(-1) * b2);
  equal("multiplication is associative", (a * b) * c, a * (b * c));
  equal("multiplication distributes from the left", a * (b + b2), a * b + a * b2);
  equal("multiplication distributes from the right", (b + b2) * c, b * c + b2 * c);
  equal("the identity is neutral from the left", identity(backend_, k) * b, b);
  equal("the identity is neutral from the right", b * identity(backend_, l), b);
  equal("the transpose of a product", transpose(a * b), transpose(b) * transpose(a));
  equal("transposing twice", transpose(transpose(a)), a);
  equal("the transpose of a sum", transpose(b + b2), transpose(b) + transpose(b2));
  different("a product plus one is another matrix", a * b, a * b + fill(backend_, {m, l}, 1));
}

void LawRun::check_blocks(RandomStream stream) {
  const std::int64_t m = size(stream), k = size(stream), l = size(stream), n = size(stream);
  const Term a = given(backend_, draw(stream, m, k)), b = given(backend_, draw(stream, m, l)),
             c = given(backend_, draw(stream, k, n)), d = given(backend_, draw(stream, l, n));
  equal("a slice undoes putting side by side", slice(beside(a, b), 0, k, {m, l}), b);
  equal("a slice undoes stacking", slice(above(c, d), k, 0, {l, n}), d);
  equal("stacking is transposed putting side by side", above(c, d), transpose(beside(transpose(c), transpose(d))));
  equal("a block product", beside(a, b) * above(c, d), a * c + b * d);
  const std::int64_t first = stream.integer(0, m - 1);
  const Term top = slice(a, 0, 0, {first + 1, k});
  equal("slices put together again", first + 1 == m ? top : above(top, slice(a, first + 1, 0, {m - first - 1, k})), a);
  equal("a slice of a product is a product of slices", slice(a * c, first, 0, {1, n}), slice(a, first, 0, {1, k}) * c);
}

void LawRun::check_scaling(RandomStream stream) {
  const std::int64_t m = size(stream), n = size(stream);
  const Term a = given(backend_, draw(stream, m, n)), b = given(backend_, draw(stream, m, n)),
             column = given(backend_, draw(stream, m, 1));
  const Rational q = Rational(static_cast<long>(stream.integer(-9, 9))) / 7;
  const Term scalar = fill(backend_, {1, 1}, q);
  const Term spread = column * fill(backend_, {1, n}, 1);
  equal("a scalar distributes", q * (a + b), q * a + q * b);
  equal("a scalar as a matrix", scale_by(scalar, a), q * a);
  equal("a scalar as a constant matrix", hadamard(fill(backend_, {m, n}, q), a), q * a);
  equal("scaling rows is multiplying by a diagonal matrix", scale_rows(column, a),
        hadamard(identity(backend_, m), column * fill(backend_, {1, m}, 1)) * a);
  equal("scaling rows entry by entry", scale_rows(column, a), hadamard(spread, a));
  equal("the entrywise product commutes", hadamard(a, b), hadamard(b, a));
  equal("the entrywise product distributes", hadamard(spread, a + b), hadamard(spread, a) + hadamard(spread, b));
}

void LawRun::check_inverse(RandomStream stream) {
  const std::int64_t n = size(stream), m = size(stream);
  const Term a = given(backend_, draw(stream, n, n)), x = given(backend_, draw(stream, m, n)),
             y = given(backend_, draw(stream, n, m)), one = identity(backend_, n);
  const Term inverted = inverse(a);
  if (!inverted.outcome().ok()) {
    if (a.outcome().ok() && inverted.outcome().status() == Status::undefined &&
        backend_.invertible(a.outcome().value()) == Truth::yes)
      fail("inverse and invertible agree", "an invertible matrix has no inverse");
    return;
  }
  // Without an error bound the inverse of a singular matrix may come out as rounding noise.
  if (!expected_.bounded) return;
  if (backend_.invertible(a.outcome().value()) == Truth::no)
    fail("inverse and invertible agree", "a singular matrix has an inverse");
  equal("a matrix times its inverse", a * inverted, one, Kind::function);
  equal("the inverse times its matrix", inverted * a, one, Kind::function);
  equal("inverting twice", inverse(inverted), a, Kind::function);
  equal("solving from the left", solve_left(a, y), inverted * y, Kind::function);
  equal("solving from the right", solve_right(x, a), x * inverted, Kind::function);
  equal("a solution solves", a * solve_left(a, y), y, Kind::function);
  equal("the inverse of the transpose", inverse(transpose(a)), transpose(inverted), Kind::function);
}

void LawRun::check_triangular(RandomStream stream) {
  const std::int64_t n = size(stream), m = size(stream);
  for (const Structure structure : {Structure::upper, Structure::unit_lower, Structure::diagonal_signs}) {
    RationalMatrix factor = draw(stream, n, n);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j)
        if ((structure == Structure::upper && j < i) || (structure == Structure::unit_lower && j > i) ||
            structure == Structure::diagonal_signs)
          factor.at(i, j) = 0;
      factor.at(i, i) = structure == Structure::unit_lower ? 1 : stream.integer(0, 1) == 0 ? -1 : 1;
      if (structure == Structure::upper) factor.at(i, i) *= static_cast<long>(stream.integer(1, 5));
    }
    const Term a = given(backend_, factor), x = given(backend_, draw(stream, m, n)),
               y = given(backend_, draw(stream, n, m));
    equal("a triangular solution from the left", a * solve_left(a, y, structure), y);
    equal("a triangular solution from the right", solve_right(x, a, structure) * a, x);
  }
}

void LawRun::check_singular(RandomStream stream) {
  const std::int64_t n = stream.integer(2, 5);
  RationalMatrix tall = random_matrix(Entries::integers, n, n - 1, stream);
  const RationalMatrix wide = random_matrix(Entries::integers, n - 1, n, stream);
  const bool thirds = stream.integer(0, 1) == 1;  // entries that are not exact in binary
  if (thirds)
    for (Rational& entry : tall.entries) entry /= 3;
  const Term a = given(backend_, tall) * given(backend_, wide);
  if (!a.outcome().ok()) return;
  if (expected_.bounded) without_value("a singular matrix has no inverse", inverse(a).outcome(), expected_.decides);
  const Truth answer = backend_.invertible(a.outcome().value());
  if (answer == Truth::yes) fail("a singular matrix is not invertible", "called invertible");
  if (expected_.decides && answer != Truth::no) fail("a singular matrix is not invertible", "not decided");
  const Term zero = fill(backend_, {n, n}, 0);
  if (!zero.outcome().ok()) return;
  without_value("zero has no inverse", inverse(zero).outcome(), expected_.decides);
  if (backend_.invertible(zero.outcome().value()) == Truth::yes) fail("zero is not invertible", "called invertible");
}

void LawRun::check_rank(RandomStream stream) {
  const std::int64_t m = size(stream), n = size(stream), r = stream.integer(0, std::min(m, n));
  RationalMatrix tall = draw(stream, m, std::max<std::int64_t>(r, 1)),
                 wide = draw(stream, std::max<std::int64_t>(r, 1), n);
  for (std::int64_t i = 0; i < r; ++i)
    for (std::int64_t j = 0; j < r; ++j) tall.at(i, j) = wide.at(i, j) = i == j ? 1 : 0;
  const Term a = r == 0 ? fill(backend_, {m, n}, 0) : given(backend_, tall) * given(backend_, wide);
  if (!a.outcome().ok()) return;
  const auto rank = backend_.rank(a.outcome().value());
  ++(rank.ok() ? answered_ : unanswered_)["the rank of a product of full-rank factors"];
  if (rank.ok() && rank.value() != r) fail("the rank of a product of full-rank factors", std::to_string(rank.value()));
  if (!rank.ok() && expected_.decides) fail("the rank of a product of full-rank factors", rank.reason());
}

void LawRun::check_softmax(RandomStream stream) {
  const std::int64_t m = size(stream), n = size(stream);
  const Term logits = given(backend_, draw(stream, m, n)), shift = given(backend_, draw(stream, m, 1));
  const Term ones = fill(backend_, {n, 1}, 1), row = fill(backend_, {1, n}, 1);
  equal("softmax is a function", softmax(logits, Mask::none()), softmax(logits, Mask::none()), Kind::function);
  if (!expected_.real_functions) return;
  equal("softmax rows sum to 1", softmax(logits, Mask::none()) * ones, fill(backend_, {m, 1}, 1), Kind::function);
  equal("softmax ignores a shift", softmax(logits + shift * row, Mask::none()), softmax(logits, Mask::none()),
        Kind::function);
  equal("softmax of equal logits", softmax(shift * row, Mask::none()),
        fill(backend_, {m, n}, Rational(1, static_cast<unsigned long>(n))), Kind::function);
}

void LawRun::check_hidden_keys(RandomStream stream) {
  const std::int64_t m = size(stream), n = m + stream.integer(0, 2);
  const Mask masks[] = {Mask::causal(), Mask::window(1), Mask::window(2)};
  const Mask mask = masks[stream.below(3)];
  const RationalMatrix logits = draw(stream, m, n);
  RationalMatrix changed = logits, hidden(m, n);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      if (mask.visible(i, j, m, n)) continue;
      changed.at(i, j) += static_cast<long>(stream.integer(1, 50));
      hidden.at(i, j) = 1;
    }
  }
  const Term value = softmax(given(backend_, logits), mask);
  equal("softmax ignores hidden keys", softmax(given(backend_, changed), mask), value, Kind::function);
  equal("hidden keys have weight 0", hadamard(value, given(backend_, hidden)), fill(backend_, {m, n}, 0),
        Kind::function);
  const Term tall = given(backend_, draw(stream, n + 1, n));
  if (tall.outcome().ok())
    without_value("a row that sees no key", softmax(tall, Mask::causal()).outcome(), expected_.knows_undefined);
}

void LawRun::check_functions(RandomStream stream) {
  const std::int64_t m = size(stream), n = size(stream);
  const RationalMatrix entries = draw(stream, m, n);
  const Term x = given(backend_, entries), one = fill(backend_, {m, n}, 1), zero = fill(backend_, {m, n}, 0);
  const Term minus = Rational(-1) * x;
  const Term positive = hadamard(x, x) + one;
  equal("a reciprocal", hadamard(apply(Function::reciprocal, positive), positive), one);
  for (const Function f : {Function::relu, Function::gelu, Function::gelu_tanh, Function::silu, Function::relu_squared,
                           Function::tanh, Function::exp})
    equal(std::string(to_string(f)) + " is a function", apply(f, x), apply(f, x), Kind::function);
  if (!expected_.real_functions) return;
  for (const Function f : {Function::relu, Function::gelu, Function::gelu_tanh, Function::silu})
    equal(std::string(to_string(f)) + "(x) - " + std::string(to_string(f)) + "(-x) = x", apply(f, x) - apply(f, minus),
          x, Kind::function);
  const Term up = apply(Function::relu, x);
  equal("relu_squared is relu squared", apply(Function::relu_squared, x), hadamard(up, up), Kind::function);
  equal("relu(x) relu(-x) = 0", hadamard(up, apply(Function::relu, minus)), zero, Kind::function);
  const Term grown = apply(Function::exp, x);
  equal("exp(x) exp(-x) = 1", hadamard(grown, apply(Function::exp, minus)), one, Kind::function);
  equal("silu by exp", apply(Function::silu, x),
        hadamard(x, apply(Function::reciprocal, one + apply(Function::exp, minus))), Kind::function);
  const Term squared = hadamard(grown, grown);
  equal("tanh by exp", hadamard(apply(Function::tanh, x), squared + one), squared - one, Kind::function);
  const Term root = apply(Function::inv_sqrt, positive);
  equal("inv_sqrt", hadamard(hadamard(root, root), positive), one, Kind::function);
}

void LawRun::check_domains() {
  const Term zero = fill(backend_, {2, 2}, 0), negative = fill(backend_, {1, 1}, Rational(-1, 3));
  if (zero.outcome().ok())
    without_value("0 has no reciprocal", apply(Function::reciprocal, zero).outcome(), expected_.knows_undefined);
  if (!expected_.real_functions) return;
  for (const Term& outside : {zero, negative})
    if (outside.outcome().ok())
      without_value("inv_sqrt has no value at 0 and below", apply(Function::inv_sqrt, outside).outcome(),
                    expected_.knows_undefined);
}

void LawRun::check_conversions(RandomStream stream) {
  const std::int64_t m = size(stream), n = size(stream);
  const RationalMatrix exact = random_matrix(Entries::dyadics, m, n, stream);
  DoubleMatrix doubles(m, n);
  for (std::size_t i = 0; i < exact.entries.size(); ++i) doubles.entries[i] = exact.entries[i].get_d();
  const Term a = given(backend_, exact);
  equal("a double is the rational it is", a, Term(backend_, backend_.from_doubles(doubles)));
  const Rational q(static_cast<long>(stream.integer(-50, 50)));
  RationalMatrix constant(m, n), unit(m, m);
  std::fill(constant.entries.begin(), constant.entries.end(), q / 3);
  for (std::int64_t i = 0; i < m; ++i) unit.at(i, i) = 1;
  equal("a constant matrix", fill(backend_, {m, n}, q / 3), given(backend_, constant));
  equal("the identity matrix", identity(backend_, m), given(backend_, unit));
  if (!a.outcome().ok()) return;
  const auto back = backend_.to_rational(a.outcome().value());
  if (back.ok() && !(back.value() == exact)) fail("a rational matrix comes back", "changed");
  const auto shown = backend_.approx_doubles(a.outcome().value());
  if (shown.ok())
    for (std::size_t i = 0; i < doubles.entries.size(); ++i)
      if (static_cast<float>(shown.value().entries[i]) != static_cast<float>(doubles.entries[i]))
        fail("a double is shown as it is", std::to_string(shown.value().entries[i]));
}

void LawRun::check_all(RandomStream stream) {
  check_ring(stream.child("ring"));
  check_blocks(stream.child("blocks"));
  check_scaling(stream.child("scaling"));
  check_inverse(stream.child("inverse"));
  check_triangular(stream.child("triangular"));
  check_singular(stream.child("singular"));
  check_rank(stream.child("rank"));
  check_softmax(stream.child("softmax"));
  check_hidden_keys(stream.child("hidden keys"));
  check_functions(stream.child("functions"));
  check_domains();
  check_conversions(stream.child("conversions"));
}

}  // namespace attest::test
