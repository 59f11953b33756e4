#pragma once

#include "core/verdict/record.h"

namespace attest::test {

// A record with arbitrary contents of every field, drawn by RapidCheck: to be called inside a property. Not meaningful:
// a reader must give back whatever was written.
verdict::Report random_report();

}  // namespace attest::test
