#include "reports/junit.h"

#include <catch2/catch.hpp>

#include "property_tests/reports/oracle.h"
#include "property_tests/reports/random_report.h"
#include "property_tests/reports/sample.h"
#include "property_tests/support/property.h"
#include "property_tests/support/skip.h"

namespace attest::reports {
namespace {

TEST_CASE("the JUnit file of the sample is the golden one", "[reports][junit]") {
  CHECK(test::difference_from_golden("sample.xml", to_junit(test::sample_report())) == "");
}

TEST_CASE("the counts of every suite are those of its cases", "[reports][junit]") {
  const std::string program =
      "import sys, xml.etree.ElementTree as tree\n"
      "root = tree.fromstring(sys.stdin.buffer.read())\n"
      "def counts(node):\n"
      "    return [len(list(node.iter(tag))) for tag in ('testcase', 'failure', 'error', 'skipped')]\n"
      "for node in [root] + root.findall('testsuite'):\n"
      "    stated = [int(node.get(key)) for key in ('tests', 'failures', 'errors', 'skipped')]\n"
      "    assert stated == counts(node), (stated, counts(node))\n"
      "print(counts(root))\n";
  std::string output;
  const auto opinion = test::ask_python(program, to_junit(test::sample_report()), "xml.etree.ElementTree", &output);
  if (opinion == test::Opinion::absent) ATTEST_SKIP("python3 is not installed");
  INFO(output);
  CHECK(opinion == test::Opinion::agrees);
  // Of the sample's 32 results: 3 not as declared, 1 internal error, 3 undecided or unsupported ones as declared.
  CHECK(output == "[32, 3, 1, 3]\n");
  test::check_property(
      "the file of an arbitrary record is well-formed",
      [&] {
        RC_ASSERT(test::ask_python(program, to_junit(test::random_report()), "sys", &output) == test::Opinion::agrees);
      },
      20);
}

}  // namespace
}  // namespace attest::reports
