#include "core/support/files.h"

#include <fcntl.h>
#include <sys/stat.h>
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

TEST_CASE("a symbolic link is followed and a device stays a device", "[support]") {
  const Scratch scratch;
  attest::write_file(scratch.at("target"), "old");
  std::filesystem::create_symlink(scratch.at("target"), scratch.at("link"));
  attest::write_file(scratch.at("link"), "new");
  CHECK(std::filesystem::is_symlink(scratch.at("link")));
  CHECK(attest::read_file(scratch.at("target")) == "new");
  REQUIRE(::mkfifo(scratch.at("pipe").c_str(), 0600) == 0);
  const int reader = ::open(scratch.at("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  attest::write_file(scratch.at("pipe"), "through");
  char received[8] = {};
  CHECK(::read(reader, received, 7) == 7);
  CHECK(std::string(received) == "through");
  CHECK(std::filesystem::is_fifo(scratch.at("pipe")));
  ::close(reader);
}

TEST_CASE("what cannot be written is known beforehand", "[support]") {
  const Scratch scratch;
  CHECK_NOTHROW(attest::require_writable(scratch.at("new")));
  CHECK(scratch.entries() == 0);
  CHECK_THROWS_AS(attest::require_writable(scratch.path.string()), attest::InputError);
  CHECK_THROWS_AS(attest::require_writable(scratch.at("missing/file")), attest::InputError);
}
