#pragma once

#include <string>
#include <string_view>

namespace attest::model {

// A file's bytes mapped read-only into memory for as long as the object lives.
class MappedFile {
 public:
  // Throws InputError naming the path where it is not a readable regular file.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(address_), size_}; }

 private:
  void* address_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace attest::model
