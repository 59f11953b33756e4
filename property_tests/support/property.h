#pragma once

#include <rapidcheck.h>

#include <string>
#include <utility>

namespace attest::test {

// What a property run really checked: the number of cases and how many carried each tag (RC_TAG, RC_CLASSIFY).
struct PropertyReport {
  int cases = 0;
  rc::detail::Distribution distribution;
  // The cases that carry the tag, alone or with others: the test asserts that its generator reaches what it should.
  int count(const std::string& tag) const;
};

// Checks the property on `cases` random cases times ATTEST_TEST_MULTIPLIER and reports it to Catch2 as one assertion.
// Fails on a counterexample, when the generator gave up, and when nothing was checked. The seed is fixed; with
// ATTEST_RANDOM_SEED=N in the environment a second run uses N. RC_PARAMS overrides all of it, and a failure prints the
// RC_PARAMS line that reproduces it.
PropertyReport run_property(const std::string& sentence, const rc::detail::Property& property, int cases);

template <class Testable>
PropertyReport check_property(const std::string& sentence, Testable&& testable, int cases = 100) {
  return run_property(sentence, rc::detail::toProperty(std::forward<Testable>(testable)), cases);
}

}  // namespace attest::test
