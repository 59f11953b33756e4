#pragma once

#include <string>

namespace attest {

// Writes the whole file or nothing: a temporary file beside it, then a rename. A symbolic link is followed; a device or
// a pipe is written to as it is. Throws InputError naming the path.
void write_file(const std::string& path, const std::string& contents);

// Throws InputError naming the path where write_file could not write: a missing or read-only folder, a folder in its
// place. Nothing is written.
void require_writable(const std::string& path);

// The whole file. Throws InputError naming the path.
std::string read_file(const std::string& path);

}  // namespace attest
