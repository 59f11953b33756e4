#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/claim/measurement.h"
#include "core/claim/size.h"
#include "core/expr/expr.h"

namespace attest::claim {

// identity: holds for all inputs that satisfy the hypotheses; one instance refutes it. construction: "these transformed
// weights compute the same function"; an ablation refutes this construction, not the existence of another. decision: an
// iff about given weights. impossibility: a certificate an instance, never sampling alone.
enum class Kind { identity, construction, decision, impossibility };
std::string to_string(Kind kind);

// How a matrix of an instance is drawn. Each recipe reaches every component of the set it names.
struct Recipe {
  enum class Kind {
    general,         // independent entries
    invertible,      // L U with unit lower L and upper U, dense in GL(n); floating point: a well-conditioned draw
    singular,        // U V with inner dimension `rank` (default n - 1)
    orthogonal,      // D (I - A)(I + A)^-1, D = diag(+-1), A skew: both components of O(n)
    block_diagonal,  // blocks of width `block`, equal inside groups of `group` blocks
    unit_circle,     // row 0 cosines, row 1 sines: rational points ((1 - t^2), 2 t)/(1 + t^2)
    diagonal,
    symmetric,
  };
  Kind kind = Kind::general;
  std::int64_t rank = -1;
  std::int64_t block = 0;
  std::int64_t group = 1;
};

// A matrix that an instance must provide. In the statement it is an input node of this name.
struct Input {
  std::string name;
  expr::Shape shape;
  Recipe recipe;
};

// A predicate on an instance that a hypothesis (or its being dropped) asks for; evaluated exactly on instances.
struct Condition {
  enum class Kind {
    invertible,            // operands: A square
    singular,              // operands: A square
    equal,                 // operands: A, B
    different,             // operands: A, B
    independent,           // rank [A_1 ... A_m] = sum of ranks
    dependent,             // rank [A_1 ... A_m] < sum of ranks
    nonzero,               // some entry of A is not 0
    full_rank,             // rank A = min(rows, cols)
    equal_row_spaces,      // rank of A_1, ..., A_m stacked = the rank of each
    different_row_spaces,  // not so
  };
  Kind kind;
  std::vector<expr::Expr> operands;
  std::string hypothesis;  // the id it belongs to; empty: part of the statement's domain
};

struct Equation {
  std::string label;  // "logits of head 0", "output"
  expr::Expr expected;
  expr::Expr constructed;
};

// One side of a claim at one size: what must be drawn, what must hold of it, what is then equal.
struct Statement {
  std::shared_ptr<expr::Graph> graph;
  std::vector<Input> inputs;
  std::vector<Condition> conditions;
  std::vector<Equation> equations;
  // Conditions that the theorem says are necessary for the construction to exist: in an ablation one of them is
  // certainly false, and that refutes existence (decision and impossibility claims).
  std::vector<Condition> necessary;
  std::vector<std::string> ledger;  // assumptions of the modelling, shown with the verdict
};

struct Hypothesis {
  std::string id;    // "invertible", as in `--without invertible`
  std::string text;  // "W_Q is invertible"
};

// What a claim's builder is asked for.
struct Request {
  Size size;
  std::string dropped;  // "" for the claim itself, else the id of the dropped hypothesis
};

struct Claim {
  std::string id;  // permanent: reparam.lemma
  Kind kind = Kind::identity;
  std::string statement;  // one sentence in plain text with the paper's symbols
  std::string formula;    // the same as TeX (the subset of docs/report.md)
  std::string source;     // "KM, Lemma 3.1" in words: authors, arXiv number
  std::string proof_idea;
  std::string how_checked;
  std::vector<Hypothesis> hypotheses;
  bool false_on_purpose = false;
  // Throws InputError where the size does not satisfy the shape hypotheses (h k = d, ...).
  std::function<Statement(const Request&)> build;
  // Sizes for the counterexample search of an ablation ("" = the claim, when false on purpose), smallest first; the
  // order is n, d, h, k, L, m.
  std::function<std::vector<Size>(const std::string& dropped)> search_sizes;
  // The named sizes at which the main job checks it besides tiny.
  std::vector<std::string> sizes;
  // Set by claims about the size of an error instead of build: measures it for a side on a precision ladder
  // (arithmetic multiprecision); deterministic in the seed.
  std::function<Measurement(const std::string& dropped, std::uint64_t seed)> measure;
};

// All claims, in the order of the chapters. Chapters add theirs by register_<chapter>(Registry&), so that a program
// links only the chapters it wants.
class Registry {
 public:
  void add(Claim claim);
  const std::vector<Claim>& claims() const { return claims_; }
  // nullptr where there is none.
  const Claim* find(const std::string& id) const;
  // The claim, or InputError with the nearest ids.
  const Claim& at(const std::string& id) const;

 private:
  std::vector<Claim> claims_;
};

// The chapter is the part of the id before the dot.
std::string chapter_of(const Claim& claim);
// "claim" and "without:HYPOTHESIS" for every hypothesis that can be dropped.
std::vector<std::string> sides_of(const Claim& claim);

}  // namespace attest::claim
