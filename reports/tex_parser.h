#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest::reports {

// A recursive-descent reader of the TeX subset that writes MathML as it goes. Internal to mathml.cpp.
class TexParser {
 public:
  explicit TexParser(std::string_view tex) : tex_(tex) {}
  // The whole formula as the children of <math>. Throws InputError as tex_to_mathml says.
  std::string formula();

 private:
  // One item of a row, before and after its scripts are attached.
  struct Atom {
    enum class Kind { ordinary, function, big_operator, sign, open, close, space };
    Kind kind = Kind::ordinary;
    std::string markup;
  };

  // --- reading
  bool at_end() const { return position_ >= tex_.size(); }
  void skip_spaces();
  bool looking_at(std::string_view text) const { return tex_.substr(position_, text.size()) == text; }
  bool looking_at_command(std::string_view name) const;
  std::string command_name();  // after the backslash
  std::string raw_group();     // {text} as it stands
  void expect(char character, const std::string& where);
  [[noreturn]] void fail(const std::string& problem) const;

  // --- grammar
  bool at_row_end() const;
  std::string row();    // up to a closing brace, '&', "\\", \right, \end or the end
  std::string group();  // one argument: {row} or a single item
  Atom item();          // an atom with its scripts
  Atom atom();
  Atom with_scripts(Atom base);
  std::string primes();
  Atom character_atom();
  Atom command_atom();
  Atom command_with_arguments(const std::string& name);
  Atom fraction(const std::string& name);
  Atom root();
  Atom fenced();
  Atom sized_fence(const std::string& name);
  std::string delimiter();
  Atom environment();
  std::vector<std::vector<std::string>> environment_rows(const std::string& name);
  Atom alphabet(const std::string& name);
  Atom accent(const std::string& name);
  Atom stacked(const std::string& name);
  Atom negated();

  std::string_view tex_;
  std::size_t position_ = 0;
  int depth_ = 0;
};

}  // namespace attest::reports
