#pragma once

#include "cli/verbs.h"
#include "core/verdict/record.h"

namespace attest::cli {

// Writes the record in every form asked for; "-" for json is standard output. Each file whole or not at all; throws
// InputError naming the path.
void write_reports(const verdict::Report& report, const claim::Registry& registry, const CheckOptions& options);

// Checks before hours of work that every output can be written.
void require_writable_outputs(const CheckOptions& options);

// The verdict table and what is not as declared, for a terminal.
void print_table(const verdict::Report& report, std::ostream& out);

}  // namespace attest::cli
