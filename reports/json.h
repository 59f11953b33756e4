#pragma once

#include <string>

#include "core/verdict/record.h"

namespace attest::reports {

// The name of the format, in every record's field "schema".
inline constexpr const char* kReportSchema = "attest.report/1";

// The record as JSON text, indented, with a newline at the end; docs/report.md describes every field. Key order is
// fixed. Exact numbers are strings "p/q"; non-finite numbers are the strings "inf", "-inf", "nan". The certificates of
// refutations are made from the registry's statements.
std::string to_json(const verdict::Report& report, const claim::Registry& registry);

// Reads what to_json writes. Throws InputError naming the field ("results[3].size.n") that is missing, unknown, of the
// wrong type or out of range. The summary is recounted and must agree; a certificate must be one, about the result's
// own counterexample.
verdict::Report parse_report(const std::string& text);

}  // namespace attest::reports
