#pragma once

#include <string>

namespace attest {

// Writes the whole file or nothing: a temporary file beside it, then a rename. Throws InputError naming the path.
void write_file(const std::string& path, const std::string& contents);

// The whole file. Throws InputError naming the path.
std::string read_file(const std::string& path);

}  // namespace attest
