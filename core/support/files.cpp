#include "core/support/files.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "core/support/error.h"

namespace attest {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& action, int error) {
  throw InputError("cannot " + action + " '" + path + "': " + std::strerror(error) +
                   "; check that the folder exists and that you may write there");
}

}  // namespace

void write_file(const std::string& path, const std::string& contents) {
  const std::string temporary = path + ".partial." + std::to_string(::getpid());
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) fail(path, "write", errno);
  const bool written = std::fwrite(contents.data(), 1, contents.size(), file) == contents.size();
  const int write_error = errno;
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed) {
    std::remove(temporary.c_str());
    fail(path, "write", write_error);
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) {
    const int rename_error = errno;
    std::remove(temporary.c_str());
    fail(path, "write", rename_error);
  }
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError("cannot read '" + path + "': " + std::strerror(errno));
  std::string contents;
  std::array<char, 1 << 16> buffer;
  while (file) {
    file.read(buffer.data(), buffer.size());
    contents.append(buffer.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw InputError("cannot read '" + path + "': not a readable file");
  return contents;
}

}  // namespace attest
