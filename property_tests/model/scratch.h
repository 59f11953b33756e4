#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include "core/support/error.h"
#include "core/support/files.h"
#include "core/support/rational.h"

namespace attest::test {

// A folder of this test alone, removed with it.
class ScratchFolder {
 public:
  ScratchFolder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("attest_model_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& contents) const {
    write_file(file(name), contents);
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

// The message of the InputError that the action throws, or "no InputError".
template <class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

// Entries that tell their position and are exact in every format: (row * 7 + col) mod 31 - 15, over 4.
inline DoubleMatrix pattern(std::int64_t rows, std::int64_t cols, std::int64_t salt = 0) {
  DoubleMatrix matrix(rows, cols);
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t col = 0; col < cols; ++col)
      matrix.at(row, col) = static_cast<double>((row * 7 + col + salt) % 31 - 15) / 4;
  return matrix;
}

}  // namespace attest::test
