// Registers the claims of the chapter reparam, checks one of them in exact rational arithmetic, and shows what becomes
// of it without one of its hypotheses.
#include <iostream>

#include "core/support/error.h"
#include "core/verdict/engine.h"
#include "reparam/claims.h"

int main(int argc, char** argv) {
  using namespace attest;
  try {
    claim::Registry registry;
    reparam::register_claims(registry);
    const claim::Claim& lemma = registry.at(argc > 1 ? argv[1] : "reparam.lemma");
    const verdict::Result result =
        verdict::check(lemma, "", "rational", claim::named_size("tiny"), nullptr, verdict::Options{});
    std::cout << lemma.id << ": " << verdict::to_string(result.verdict) << " (" << lemma.statement << ")\n";
    for (const claim::Hypothesis& hypothesis : lemma.hypotheses) {
      const verdict::Result dropped = verdict::refute(lemma, hypothesis.id, verdict::Options{});
      std::cout << "  without " << hypothesis.id << ": " << verdict::to_string(dropped.verdict) << '\n';
    }
    return result.expected ? 0 : 1;
  } catch (const InputError& error) {
    std::cerr << error.what() << '\n';
    return 3;
  }
}
