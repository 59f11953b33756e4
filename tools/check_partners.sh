#!/usr/bin/env bash
# Every source file of a library has a test of the same name: core/arith/field.cpp, property_tests/core/arith/field_test.cpp.
# A test of several files names the others in a line "// Tests also: core/arith/a.cpp core/arith/b.cpp".
set -euo pipefail
cd "$(dirname "$0")/.."
also=" $(grep -rhs '^// Tests also: ' property_tests | sed 's/^.*: //' | tr '\n' ' ') "
missing=0
while IFS= read -r source; do
  [ -f "property_tests/${source%.cpp}_test.cpp" ] && continue
  case "$also" in *" $source "*) continue ;; esac
  echo "$source has no partner property_tests/${source%.cpp}_test.cpp"
  missing=1
done < <(find core reparam model reports -name '*.cpp' | sort)
exit $missing
