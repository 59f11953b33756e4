#pragma once

#include <functional>
#include <memory>

#include "core/arith/backend.h"
#include "core/verdict/record.h"

namespace attest::verdict {

// Where a checkpoint provides some inputs of a statement: exact doubles by input name; others stay random.
struct WeightSource {
  std::string name;  // shown as the result's source: "all-MiniLM-L6-v2 layer 3"
  std::map<std::string, DoubleMatrix> matrices;
};

struct Options {
  std::uint64_t seed = 1;
  std::int64_t trials = 0;         // instances of rational, ball and floating arithmetic; 0: by size
  std::uint64_t prime = 0;         // field: a fixed prime; the verdict then speaks of F_p only
  double error_bits = 30;          // field: runs are repeated until the error probability is at most 2^-error_bits
  std::int64_t search_budget = 0;  // candidates of the counterexample search; 0: the default
  // Where the judges get their arithmetics from: a test puts a faulty one here.
  std::function<std::unique_ptr<arith::Backend>(const std::string&, const arith::BackendOptions&)> make_backend =
      arith::make_backend;
};

// A result with claim, kind, side, arithmetic and size filled in, and no verdict yet.
Result blank_result(const claim::Claim& claim, const std::string& dropped, const std::string& arithmetic,
                    const claim::Size& size);

// One cell of the verdict matrix: the claim, or the claim without one hypothesis (`dropped`, "" for none), in one
// arithmetic at one size. weights may be null. Deterministic in the options; `measured` apart.
Result check(const claim::Claim& claim, const std::string& dropped, const std::string& arithmetic,
             const claim::Size& size, const WeightSource* weights, const Options& options);

// The smallest counterexample to the claim without the hypothesis (or to a claim false on purpose): exact where its
// values are rational, else certified by disjoint balls with the real softmax and activations. Verdict refuted, or
// undecided with the size of the search.
Result refute(const claim::Claim& claim, const std::string& dropped, const Options& options);

}  // namespace attest::verdict
