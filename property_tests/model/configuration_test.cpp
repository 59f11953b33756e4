#include "model/configuration.h"

#include <catch2/catch.hpp>

#include "property_tests/model/scratch.h"

namespace attest::model {
namespace {

TEST_CASE("counts and strings are read from config.json", "[model][configuration]") {
  const test::ScratchFolder folder;
  folder.write("config.json", R"({"n_head": 12, "hidden_act": "gelu", "head_dim": null})");
  const Configuration configuration = Configuration::beside(folder.file("model.safetensors"));
  CHECK(configuration.present());
  CHECK(configuration.count("n_head") == 12);
  CHECK(configuration.text("hidden_act") == "gelu");
  CHECK_FALSE(configuration.count("head_dim").has_value());
  CHECK_FALSE(configuration.count("absent").has_value());
}

TEST_CASE("a wrong value is refused with file, key and value", "[model][configuration]") {
  const test::ScratchFolder folder;
  const std::string path = folder.write("c.json", R"({"zero": 0, "minus": -1, "real": 2.5, "word": "12", "n": 3})");
  const Configuration configuration = Configuration::read(path);
  for (const char* key : {"zero", "minus", "real", "word"}) {
    INFO(key);
    CHECK_THAT(test::error_of([&] { (void)configuration.count(key); }),
               Catch::Contains(path) && Catch::Contains(std::string("key '") + key + "'") &&
                   Catch::Contains("expected a positive integer"));
  }
  CHECK_THAT(test::error_of([&] { (void)configuration.text("n"); }), Catch::Contains("key 'n' is 3"));
}

TEST_CASE("a configuration that is absent or not a JSON object", "[model][configuration]") {
  const test::ScratchFolder folder;
  const Configuration absent = Configuration::beside(folder.file("model.safetensors"));
  CHECK_FALSE(absent.present());
  CHECK(absent.path() == folder.file("config.json"));
  CHECK_FALSE(absent.count("n_head").has_value());
  CHECK_THAT(test::error_of([&] { (void)Configuration::read(folder.write("a.json", "{")); }),
             Catch::Contains("a.json' is not valid JSON"));
  CHECK_THAT(test::error_of([&] { (void)Configuration::read(folder.write("b.json", "[1]")); }),
             Catch::Contains("b.json' is not a JSON object"));
}

}  // namespace
}  // namespace attest::model
