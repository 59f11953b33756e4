#pragma once

#include <string>
#include <vector>

#include "core/verdict/record.h"

namespace attest::reports {

// The words and signs that every human-readable report uses, in one place.

// One sign a verdict, told apart without colour.
std::string glyph(verdict::Verdict verdict);
// One line: what the verdict says.
std::string meaning(verdict::Verdict verdict);
// "not shown needed" for not_shown_needed.
std::string spoken(verdict::Verdict verdict);

// What stands behind a verdict, in a phrase: runs and error bits, instances and radius, error over bound, the reason.
std::string evidence(const verdict::Result& result);
// "tiny", or the source where it is not a random instance: "MiniLM layer 3".
std::string where(const verdict::Result& result);
// "the claim" or "without invertible".
std::string side_name(const std::string& side);

// The sentence a reader sees first. Counts verdicts against what the claims declare.
std::string headline(const verdict::Report& report);
// What the headline leaves open: undecided, unsupported and vacuous results; empty if there are none.
std::string caveat(const verdict::Report& report);

// Three significant digits; non-finite values as words.
std::string short_number(double value);
// "1–3, 7": the numbers in order, each once.
std::string ranges(std::vector<int> numbers);
// "1 run", "2 runs".
std::string plural(std::int64_t count, const std::string& one, const std::string& many);

// The arithmetics that occur, in the order of strength; unknown ones last.
std::vector<std::string> arithmetics_of(const verdict::Report& report);

}  // namespace attest::reports
