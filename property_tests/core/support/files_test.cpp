#include "core/support/files.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/support/error.h"
#include "property_tests/support/property.h"

namespace {

// A folder that goes away with the test.
struct Scratch {
  std::filesystem::path path;
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "attest-files-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path = pattern;
  }
  ~Scratch() { std::filesystem::remove_all(path); }
  std::string at(const std::string& name) const { return (path / name).string(); }
  std::ptrdiff_t entries() const {
    return std::distance(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator());
  }
};

}  // namespace

TEST_CASE("a file reads back byte for byte", "[support]") {
  const Scratch scratch;
  const auto report = attest::test::check_property("reading inverts writing", [&](const std::string& contents) {
    RC_CLASSIFY(contents.empty(), "empty");
    attest::write_file(scratch.at("data"), contents);
    RC_ASSERT(attest::read_file(scratch.at("data")) == contents);
  });
  CHECK(report.count("empty") > 0);
  const std::string large(1 << 20, '\0');
  attest::write_file(scratch.at("data"), large);
  CHECK(attest::read_file(scratch.at("data")) == large);
  CHECK(scratch.entries() == 1);
}

TEST_CASE("a failed write leaves the folder as it was and names the path", "[support]") {
  const Scratch scratch;
  CHECK_THROWS_WITH(attest::write_file(scratch.at("absent/data"), "x"),
                    Catch::Contains("absent/data") && Catch::Contains("cannot write"));
  std::filesystem::create_directory(scratch.at("occupied"));
  CHECK_THROWS_AS(attest::write_file(scratch.at("occupied"), "x"), attest::InputError);
  CHECK(scratch.entries() == 1);
}

TEST_CASE("reading what is no file is an input error that names the path", "[support]") {
  const Scratch scratch;
  CHECK_THROWS_AS(attest::read_file(scratch.at("absent")), attest::InputError);
  CHECK_THROWS_WITH(attest::read_file(scratch.at("absent")), Catch::Contains("absent"));
  CHECK_THROWS_AS(attest::read_file(scratch.path.string()), attest::InputError);
}

TEST_CASE("an empty file reads as an empty string and a folder is refused", "[support]") {
  const Scratch scratch;
  attest::write_file(scratch.at("empty"), "");
  CHECK(attest::read_file(scratch.at("empty")).empty());
  std::filesystem::create_directory(scratch.at("folder"));
  CHECK_THROWS_AS(attest::read_file(scratch.at("folder")), attest::InputError);
}
