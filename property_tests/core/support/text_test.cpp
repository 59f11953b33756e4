#include "core/support/text.h"

#include <catch2/catch.hpp>

#include "property_tests/support/property.h"

using attest::join;
using attest::nearest_names;
using attest::split;

TEST_CASE("splitting what was joined gives the parts back", "[support]") {
  const auto part = rc::gen::container<std::string>(rc::gen::elementOf(std::string("abc .")));
  const auto report = attest::test::check_property("split inverts join", [part] {
    const auto parts = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(part));
    RC_CLASSIFY(parts.size() == 1, "one part");
    RC_CLASSIFY(parts.back().empty(), "empty last part");
    RC_ASSERT(split(join(parts, ","), ',') == parts);
  });
  CHECK(report.count("one part") > 0);
  CHECK(report.count("empty last part") > 0);
}

TEST_CASE("splitting always gives a part more than there are separators", "[support]") {
  CHECK(split("", ',') == std::vector<std::string>{""});
  CHECK(split(",", ',') == std::vector<std::string>{"", ""});
  CHECK(split("a,,b", ',') == std::vector<std::string>{"a", "", "b"});
  CHECK(join({}, ", ").empty());
}

TEST_CASE("the nearest names come first", "[support]") {
  const std::vector<std::string> names{"reparam.lemma", "reparam.telescope", "layernorm.eps"};
  CHECK(nearest_names("reparam.lema", names).front() == "reparam.lemma");
  CHECK(nearest_names("telescop", names).front() == "reparam.telescope");
  CHECK(nearest_names("layernorm.esp", names, 1) == std::vector<std::string>{"layernorm.eps"});
  CHECK(nearest_names("x", names, 0).empty());
  CHECK(nearest_names("x", {}).empty());
  CHECK(nearest_names("x", names, 9).size() == 3);
}

TEST_CASE("a known name is its own nearest", "[support]") {
  attest::test::check_property("distance zero comes first", [] {
    const auto letters = rc::gen::container<std::string>(rc::gen::inRange('a', 'e'));
    const auto names = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(letters));
    const auto wanted = *rc::gen::elementOf(names);
    RC_ASSERT(nearest_names(wanted, names).front() == wanted);
  });
}
