#pragma once

#include <string_view>

namespace attest {

// Three-valued truth. There is no conversion to bool: a caller says which of the three it handles.
enum class [[nodiscard]] Truth{no, yes, unknown};

constexpr Truth truth(bool value) { return value ? Truth::yes : Truth::no; }

constexpr Truth negate(Truth value) {
  switch (value) {
    case Truth::no:
      return Truth::yes;
    case Truth::yes:
      return Truth::no;
    case Truth::unknown:
      return Truth::unknown;
  }
  return Truth::unknown;
}

// Kleene conjunction: no if either is no, yes only if both are yes.
constexpr Truth both(Truth a, Truth b) {
  if (a == Truth::no || b == Truth::no) return Truth::no;
  return a == Truth::yes && b == Truth::yes ? Truth::yes : Truth::unknown;
}

constexpr std::string_view to_string(Truth value) {
  switch (value) {
    case Truth::no:
      return "false";
    case Truth::yes:
      return "true";
    case Truth::unknown:
      return "unknown";
  }
  return "unknown";
}

}  // namespace attest
