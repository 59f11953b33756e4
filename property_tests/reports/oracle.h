#pragma once

#include <string>

namespace attest::test {

// What an independent program says about a text: the tests must not ask the code under test.
enum class Opinion { agrees, objects, absent };

// Runs the Python program on the text (standard input). `needs` is a module that it imports. The output of an objection
// goes to *output. absent: no python3, or no such module.
Opinion ask_python(const std::string& program, const std::string& text, const std::string& needs, std::string* output);

// Whether the text is well-formed XML, by Python's expat.
Opinion well_formed_xml(const std::string& text, std::string* output);

// Compares with the golden file property_tests/reports/golden/<name>. ATTEST_UPDATE_GOLDEN=1 in the environment writes
// it instead. "" or where the texts first differ.
std::string difference_from_golden(const std::string& name, const std::string& text);

}  // namespace attest::test
