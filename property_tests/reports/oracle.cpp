#include "property_tests/reports/oracle.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/support/error.h"
#include "core/support/files.h"
#include "core/support/text.h"

namespace attest::test {
namespace {

std::filesystem::path scratch(const std::string& name) {
  return std::filesystem::temp_directory_path() / ("attest_reports_" + std::to_string(::getpid()) + "_" + name);
}

bool shell(const std::string& command) { return std::system(command.c_str()) == 0; }

}  // namespace

Opinion ask_python(const std::string& program, const std::string& text, const std::string& needs, std::string* output) {
  if (!shell("python3 -c 'import " + needs + "' >/dev/null 2>&1")) return Opinion::absent;
  const auto script = scratch("script.py"), input = scratch("input"), log = scratch("log");
  write_file(script, program);
  write_file(input, text);
  const bool agrees = shell("python3 '" + script.string() + "' <'" + input.string() + "' >'" + log.string() + "' 2>&1");
  if (output != nullptr) *output = read_file(log);
  for (const auto& path : {script, input, log}) std::filesystem::remove(path);
  return agrees ? Opinion::agrees : Opinion::objects;
}

Opinion well_formed_xml(const std::string& text, std::string* output) {
  return ask_python("import sys, xml.etree.ElementTree\nxml.etree.ElementTree.fromstring(sys.stdin.buffer.read())\n",
                    text, "xml.etree.ElementTree", output);
}

std::string difference_from_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(ATTEST_SOURCE_DIR) + "/property_tests/reports/golden/" + name;
  if (std::getenv("ATTEST_UPDATE_GOLDEN") != nullptr) {
    write_file(path, text);
    return "";
  }
  std::string wanted;
  try {
    wanted = read_file(path);
  } catch (const InputError& problem) {
    return std::string(problem.what()) + "; ATTEST_UPDATE_GOLDEN=1 writes it";
  }
  if (wanted == text) return "";
  const auto old_lines = split(wanted, '\n'), new_lines = split(text, '\n');
  std::size_t line = 0;
  while (line < old_lines.size() && line < new_lines.size() && old_lines[line] == new_lines[line]) ++line;
  std::ostringstream message;
  message << path << ", line " << line + 1 << ":\n- " << (line < old_lines.size() ? old_lines[line] : "(end)") << "\n+ "
          << (line < new_lines.size() ? new_lines[line] : "(end)")
          << "\nIf the change is meant, ATTEST_UPDATE_GOLDEN=1 writes the file again: read its diff.";
  return message.str();
}

}  // namespace attest::test
