#pragma once

#include <string>
#include <vector>

#include "reports/outline.h"

namespace attest::reports {

// The parts of the page that html.cpp puts together. Internal to the HTML writer.

std::string style_sheet();
// The matrix of verdicts: claims and their ablations against arithmetics.
std::string matrix_section(const verdict::Report& report, const std::vector<ChapterOutline>& chapters);
// One table a claim for the layers of each checkpoint; empty if no result is about a layer.
std::string layers_section(const std::vector<ChapterOutline>& chapters);
std::string claim_section(const ClaimOutline& claim);
std::string counterexample_block(const verdict::Counterexample& counterexample);
// The same, folded away: of a result whose side has a better one.
std::string folded_counterexample(const verdict::Result& result);
std::string witness_block(const verdict::Result& result);

// A verdict as a coloured word with its sign.
std::string badge(verdict::Verdict verdict, bool expected);
// The phrase of evidence(), powers of two set as powers.
std::string evidence_markup(const verdict::Result& result);
// Where results come from, shortened: "tiny, small", "MiniLM layers 0–11".
std::string where_list(const std::vector<const verdict::Result*>& results);
std::string side_anchor(const std::string& claim, const std::string& side);

}  // namespace attest::reports
