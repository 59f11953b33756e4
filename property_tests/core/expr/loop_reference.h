#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/transformer.h"
#include "core/support/random.h"

// Attention and transformers a second time, as plain loops over numbers of 100 digits, entry by entry and without any
// of the expressions' code: the oracle for the reference semantics.
namespace attest::test {

using Real = boost::multiprecision::cpp_bin_float_100;

struct Table {
  std::size_t rows = 0, cols = 0;
  std::vector<Real> entries;
  Table() = default;
  Table(std::size_t row_count, std::size_t column_count)
      : rows(row_count), cols(column_count), entries(row_count * column_count) {}
  Real& at(std::size_t i, std::size_t j) { return entries[i * cols + j]; }
  const Real& at(std::size_t i, std::size_t j) const { return entries[i * cols + j]; }
};
Table table_of(const RationalMatrix& matrix);
// Exactly the numbers of the table.
RationalMatrix rational_of(const Table& table);

// Entries n/8 with |n| <= 8, exact in every arithmetic.
RationalMatrix random_matrix(expr::Shape shape, RandomStream stream);

struct LoopAttention {
  std::size_t heads = 1, kv_heads = 1, width = 1;
  expr::Mask mask;
  std::optional<Real> scale;  // 1/sqrt(width) unless given
  std::optional<Table> additive;
  std::vector<Real> slopes;  // empty: none
  std::vector<Real> angles;  // RoPE: theta_c; empty: none
  bool interleaved = true;
  std::optional<Real> qk_norm_eps;
};

// Weights W_Q, W_K, W_V, W_O and, where present, b_Q, b_K, b_V, b_O.
using Tables = std::map<std::string, Table>;
Table loop_attention(const Table& X, const Table& Z, const Tables& weights, const LoopAttention& options);

// The network of the specification on weights named as expr::weight_shapes names them. Only the flags and sizes of the
// specification are read; attention says what its attention is.
Table loop_transformer(const Tables& weights, const expr::TransformerSpec& spec, const LoopAttention& attention);

}  // namespace attest::test
