#include "core/support/files.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/support/error.h"

namespace attest {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& action, int error) {
  throw InputError("cannot " + action + " '" + path + "': " + std::strerror(error) +
                   "; check that the folder exists and that you may write there");
}

}  // namespace

namespace {

// Writes and closes; the error number, or 0.
int write_all(std::FILE* file, const std::string& contents) {
  errno = 0;
  const bool written = std::fwrite(contents.data(), 1, contents.size(), file) == contents.size();
  const int write_error = errno;
  errno = 0;
  const bool closed = std::fclose(file) == 0;
  if (!written) return write_error != 0 ? write_error : EIO;
  return closed ? 0 : (errno != 0 ? errno : EIO);
}

// A device or a pipe cannot be replaced: it is written to as it is.
void write_in_place(const std::string& path, const std::string& contents) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) fail(path, "write", errno);
  const int error = write_all(file, contents);
  if (error != 0) fail(path, "write", error);
}

}  // namespace

void write_file(const std::string& path, const std::string& contents) {
  std::error_code ignored;
  const std::filesystem::path followed = std::filesystem::weakly_canonical(path, ignored);
  const std::string target = followed.empty() ? path : followed.string();
  const std::filesystem::file_status status = std::filesystem::status(target, ignored);
  if (std::filesystem::is_directory(status)) fail(path, "write", EISDIR);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return write_in_place(target, contents);
  const std::string temporary = target + ".partial." + std::to_string(::getpid());
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) fail(path, "write", errno);
  const int error = write_all(file, contents);
  if (error != 0) {
    std::remove(temporary.c_str());
    fail(path, "write", error);
  }
  if (std::rename(temporary.c_str(), target.c_str()) != 0) {
    const int rename_error = errno;
    std::remove(temporary.c_str());
    fail(path, "write", rename_error);
  }
}

void require_writable(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, ignored);
  if (std::filesystem::is_directory(target)) fail(path, "write", EISDIR);
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  const bool device = std::filesystem::exists(target) && !std::filesystem::is_regular_file(target);
  if (::access(device ? target.c_str() : folder.c_str(), W_OK) != 0) fail(path, "write", errno);
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
