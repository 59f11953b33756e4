#include "property_tests/reports/sample.h"

#include <cmath>
#include <limits>

namespace attest::test {
namespace {

using verdict::Verdict;

claim::Claim invented(const std::string& id, claim::Kind kind, const std::string& statement, const std::string& formula,
                      std::vector<claim::Hypothesis> hypotheses) {
  claim::Claim claim;
  claim.id = id;
  claim.kind = kind;
  claim.statement = statement;
  claim.formula = formula;
  claim.source = "A. Author & B. Writer <invented>, Lemma 3.1, arXiv 0000.00000";
  claim.proof_idea = "(X T)(T^-1 W) = X W for each of the three projections; nothing else reads X.";
  claim.how_checked = "Both sides are built from the same inputs and compared entry by entry.";
  claim.hypotheses = std::move(hypotheses);
  // A report only reads what a claim says; a registry asks for these as well.
  claim.build = [](const claim::Request&) { return claim::Statement{}; };
  claim.search_sizes = [](const std::string&) { return std::vector<claim::Size>{}; };
  return claim;
}

claim::Size tiny() { return {"tiny", 3, 4, 2, 2, 2, 2, 5}; }
claim::Size small() { return {"small", 8, 16, 4, 2, 4, 3, 32}; }
claim::Size gpt2() { return {"gpt2-small", 64, 768, 12, 12, 64, 12, 3072}; }

RationalMatrix matrix(std::int64_t rows, std::int64_t cols, const std::vector<std::string>& entries) {
  RationalMatrix value(rows, cols);
  for (std::size_t i = 0; i < entries.size(); ++i) value.entries[i] = parse_rational(entries[i]);
  return value;
}

verdict::Result result(const std::string& claim, const std::string& side, const std::string& arithmetic,
                       const claim::Size& size, Verdict verdict, bool expected = true) {
  verdict::Result value;
  value.claim = claim;
  value.kind = "identity";
  value.side = side;
  value.arithmetic = arithmetic;
  value.size = size;
  value.source = "random";
  value.verdict = verdict;
  value.expected = expected;
  value.trials = 8;
  value.ledger = {"attest evaluates both sides with the same code for attention",
                  "the arithmetic is " + arithmetic + " at size " + size.name};
  value.measured.seconds = 0.125;
  value.measured.peak_mebibytes = 41.5;
  return value;
}

verdict::Counterexample exact_counterexample() {
  verdict::Counterexample found;
  found.minimal = "global";
  found.instance = {{"X", matrix(2, 2, {"1", "0", "-1/2", "1"})},
                    {"T", matrix(2, 2, {"0", "0", "0", "1"})},
                    {"W_Q.1", matrix(2, 2, {"1", "0", "0", "1"})},
                    {"gamma", matrix(1, 2, {"2/3", "-123456789/987654321"})}};
  found.sides = {{"output", {{"1", "-1/2"}, {"3/7", "0"}}, {{"1", "0"}, {"3/7", "-2"}}}};
  found.arithmetic = "rational";
  found.search = "walked 1,204 candidates at 3 sizes";
  return found;
}

verdict::Counterexample certified_counterexample() {
  verdict::Counterexample found;
  found.minimal = "local";
  found.instance = {{"X", matrix(1, 2, {"1", "2"})}, {"b_K.2", matrix(1, 2, {"0", "-1"})}};
  found.sides = {{"logits of head 0",
                  {{"[0.26894142136999512 +/- 5e-18]", "[0.73105857863000488 +/- 5e-18]"}},
                  {{"[0.50000000000000000 +/- 5e-18]", "[0.73105857863000489 +/- 5e-17]"}}}};
  found.failing = {"T is invertible", "W_Q.1 and W_Q.2 are equal"};
  found.arithmetic = "ball";
  found.search = "walked 9 candidates at 1 size";
  found.precision = 128;
  return found;
}

claim::Series ladder() {
  claim::Series series{
      "Error against precision", "precision in bits", "largest |expected − constructed|", {}, {}, true, true};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  series.names = {"cond(W_Q) = 10", "cond(W_Q) = 10⁴", "without invertible <T singular>"};
  series.points = {{{32, 3e-9}, {64, 4e-19}, {128, 2e-38}, {256, 5e-77}, {512, 1e-153}},
                   {{32, 2e-6}, {64, 3e-16}, {128, 1e-35}, {256, 4e-74}, {512, 0}},
                   {{32, 0.7}, {64, 0.7}, {128, 0.7}, {256, 0.7}, {512, nan}}};
  return series;
}

void add_lemma(std::vector<verdict::Result>& results) {
  const std::string id = "reparam.lemma", dropped = "without:invertible";
  for (const auto& size : {tiny(), small(), gpt2()}) {
    auto field = result(id, "claim", "field", size, Verdict::probable);
    field.error_bits = 61.5;
    results.push_back(field);
  }
  auto exact = result(id, "claim", "rational", tiny(), Verdict::exact);
  exact.rejected = 3;
  exact.scope = "every function";
  exact.witness = {{"X", matrix(1, 2, {"1", "-3/4"})}, {"T", matrix(2, 2, {"1", "2", "0", "1"})}};
  results.push_back(exact);
  auto ball = result(id, "claim", "ball", tiny(), Verdict::certified);
  ball.measured.radius = 3.1e-30;
  results.push_back(ball);
  auto ladder_result = result(id, "claim", "multiprecision", tiny(), Verdict::consistent);
  ladder_result.series = {ladder()};
  ladder_result.facts = {{"slope, generic W_Q", "1.002"}, {"slope, diagonal W_Q", "0"}};
  results.push_back(ladder_result);
  auto floating = result(id, "claim", "double", gpt2(), Verdict::consistent);
  floating.measured.ratio = 0.0123;
  floating.measured.digits = 13.4;
  floating.facts = {{"cond(W_Q)", "1.3e+04"}};
  results.push_back(floating);
  auto refuted = result(id, dropped, "rational", tiny(), Verdict::refuted);
  refuted.counterexample = exact_counterexample();
  refuted.source = "smallest";
  results.push_back(refuted);
  auto undecided = result(id, dropped, "field", tiny(), Verdict::undecided);
  undecided.reason = "the two sides differ for some function in place of softmax; the real one decides";
  results.push_back(undecided);
  auto differs = result(id, dropped, "double", gpt2(), Verdict::differs);
  differs.measured.ratio = 1.9e11;
  results.push_back(differs);
}

void add_every_other_verdict(std::vector<verdict::Result>& results) {
  results.push_back(result("reparam.square", "claim", "symbolic", tiny(), Verdict::proved));
  results.push_back(result("reparam.square", "claim", "ball", tiny(), Verdict::vacuous, false));
  auto crashed = result("reparam.square", "claim", "double", tiny(), Verdict::error, false);
  crashed.reason = "an internal check failed: rows == cols && \"square\"";
  results.push_back(crashed);
  auto certified = result("reparam.square", "without:equal", "ball", tiny(), Verdict::refuted);
  certified.counterexample = certified_counterexample();
  results.push_back(certified);
  results.push_back(result("reparam.square", "without:equal", "rational", tiny(), Verdict::not_shown_needed, false));
  auto unsupported = result("reparam.square", "without:equal", "field", tiny(), Verdict::unsupported);
  unsupported.reason = "exp has no value in a prime field";
  results.push_back(unsupported);
  results.push_back(result("audit.ratio", "claim", "rational", tiny(), Verdict::confirmed));
  results.push_back(result("audit.training", "claim", "rational", tiny(), Verdict::not_derivable));
  auto infinite = result("audit.ratio", "claim", "float", tiny(), Verdict::differs, false);
  infinite.measured.ratio = std::numeric_limits<double>::infinity();
  infinite.measured.digits = std::numeric_limits<double>::quiet_NaN();
  infinite.measured.radius = -std::numeric_limits<double>::infinity();
  infinite.ledger = {"Ω ≠ ∅, 証明, доказательство, \"quoted\" & <tagged>, back\\slash, tab\tend"};
  for (int i = 1; i <= 25; ++i)
    infinite.ledger.push_back("assumption number " + std::to_string(i) + " of a long ledger");
  results.push_back(infinite);
  results.push_back(result("unknown.claim", "claim", "fixed-point", tiny(), Verdict::consistent));
}

void add_layers(std::vector<verdict::Result>& results) {
  for (int layer = 0; layer < 6; ++layer) {
    auto floating = result("reparam.square", "claim", "double", gpt2(), Verdict::consistent);
    floating.source = "Mini|LM <v2> layer " + std::to_string(layer);
    floating.measured.ratio = 0.001 * (layer + 1);
    floating.facts = {{"cond(W_Q)", std::to_string(120 + 17 * layer)}, {"digits lost", "2." + std::to_string(layer)}};
    results.push_back(floating);
    auto single = floating;
    single.arithmetic = "float";
    if (layer == 4) {
      single.verdict = Verdict::undecided;
      single.reason = "W_Q is too ill-conditioned for float";
    }
    results.push_back(single);
  }
}

}  // namespace

claim::Registry sample_registry() {
  claim::Registry registry;
  registry.add(
      invented("reparam.lemma", claim::Kind::identity,
               "Attention of X with weights (W_Q, W_K, W_V, W_O) equals attention of X T with (T⁻¹W_Q, T⁻¹W_K, "
               "T⁻¹W_V, W_O), for any mask & scale.",
               R"(\operatorname{mha}(X; W_Q, W_K, W_V, W_O) = \operatorname{mha}(X T; T^{-1} W_Q, T^{-1} W_K, )"
               R"(T^{-1} W_V, W_O), \quad \operatorname{mha}(X) = \sum_{i=0}^{h-1} \operatorname{softmax})"
               R"(\left(\frac{Q_i K_i^\top}{\sqrt{k}} + M\right) V_i W_{O,i})",
               {{"invertible", "T is invertible"}}));
  registry.add(invented("reparam.square", claim::Kind::construction, "A² = A A for every square A.",
                        R"(A^2 = \begin{pmatrix} a & b \\ c & d \end{pmatrix}^2 \iff \gamma \odot x \le \tfrac12)",
                        {{"equal", "W_Q is the same in all layers"}}));
  auto wrong =
      invented("audit.ratio", claim::Kind::decision, "The cache shrinks by a factor of 67.", R"(\not\exists)", {});
  wrong.false_on_purpose = true;
  registry.add(wrong);
  registry.add(invented("audit.training", claim::Kind::impossibility, "Perplexity 9.7 after training.", "", {}));
  return registry;
}

verdict::Report sample_report() {
  verdict::Report report;
  add_lemma(report.results);
  add_every_other_verdict(report.results);
  add_layers(report.results);
  report.environment = {"0.1.0",
                        "g++ 12.2.0",
                        "Example CPU @ 3.00GHz",
                        "FLINT 2.9.0, Arb 2.23.0",
                        18446744073709551615ULL,
                        {"check", "--size", "tiny,small"}};
  return report;
}

}  // namespace attest::test
