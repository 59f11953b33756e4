#include "model/mapped_file.h"

#include <catch2/catch.hpp>

#include "property_tests/model/scratch.h"

namespace attest::model {
namespace {

TEST_CASE("a mapped file shows the bytes of the file, an empty one none", "[model][mapped_file]") {
  const test::ScratchFolder folder;
  const MappedFile file(folder.write("bytes", std::string("a\0b", 3)));
  CHECK(file.bytes() == std::string_view("a\0b", 3));
  const MappedFile empty(folder.write("empty", ""));
  CHECK(empty.bytes().empty());
}

TEST_CASE("a file that is absent or a folder is refused by name", "[model][mapped_file]") {
  const test::ScratchFolder folder;
  CHECK_THAT(test::error_of([&] { MappedFile file(folder.file("absent")); }),
             Catch::Contains(folder.file("absent")) && Catch::Contains("No such file"));
  CHECK_THAT(test::error_of([&] { MappedFile file(folder.file(".")); }), Catch::Contains("not a regular file"));
}

}  // namespace
}  // namespace attest::model
