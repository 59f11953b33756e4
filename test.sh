#!/usr/bin/env bash
# Sets up what is missing, builds, and runs every test: the suite in an optimised gcc build and in a clang-19 build under
# AddressSanitizer and UndefinedBehaviorSanitizer, and the checks of the repository. `./test.sh --full` adds clang-tidy,
# fuzzing of the parsers, and the benchmarks. The last line counts test cases and checks.
set -uo pipefail
cd "$(dirname "$0")" || exit
. tools/setup.sh

full=
case "${1:-}" in
  --full) full=yes ;;
  "") ;;
  *) say "usage: ./test.sh [--full]"; exit 3 ;;
esac

passed=0 failed=0 skipped=0

# check SENTENCE COMMAND...: one check of the repository; its output is shown when it fails.
check() {
  local sentence=$1 start=$SECONDS output
  shift
  if output=$("$@" 2>&1); then
    passed=$((passed + 1))
    say "ok      $sentence ($((SECONDS - start)) s)"
  else
    failed=$((failed + 1))
    printf '%s\n' "$output" | tail -n 60 >&2
    say "FAILED  $sentence"
    return 1
  fi
}

# suite PRESET: runs every test executable of build/PRESET and adds up their test cases. One that ends without a tally
# (a crash) counts as one failure.
suite() {
  local preset=$1 start=$SECONDS tally name p f s
  local before=$passed failed_before=$failed
  tally=$(mktemp -d)
  ATTEST_TEST_TALLY=$tally ctest --test-dir "build/$preset" -j"$(nproc)" --output-on-failure --no-tests=error \
    >"build/$preset.tests.log" 2>&1
  local code=$?
  for name in $(cd "build/$preset/property_tests" && ls -d tests_* 2>/dev/null); do
    if [ -s "$tally/$name" ] && read -r p f s <"$tally/$name"; then
      passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    else
      say "$name of build/$preset ended without a result"
      failed=$((failed + 1))
    fi
  done
  rm -rf "$tally"
  [ $code -eq 0 ] || [ "$failed" -gt "$failed_before" ] || failed=$((failed + 1))
  if [ "$failed" -gt "$failed_before" ]; then
    tail -n 150 "build/$preset.tests.log" >&2
    say "FAILED  the suite in build/$preset; the whole output is in build/$preset.tests.log"
  else
    say "ok      the suite in build/$preset: $((passed - before)) test cases ($((SECONDS - start)) s)"
  fi
}

formatted() { git ls-files -co --exclude-standard '*.cpp' '*.h' | xargs clang-format --dry-run -Werror; }

shell_parses() { for script in attest.sh test.sh tools/*.sh .ci/run; do bash -n "$script" || return 1; done; }

# The example builds and runs against an installed attest, outside the source tree.
consumer() {
  local stage=build/stage
  rm -rf $stage build/consumer
  cmake --install build/release --prefix $stage >/dev/null &&
    cmake -S examples/consumer -B build/consumer -G Ninja -DCMAKE_PREFIX_PATH="$PWD/$stage" >/dev/null &&
    cmake --build build/consumer && build/consumer/consumer >build/consumer/output &&
    grep -q '^reparam.lemma: exact' build/consumer/output && grep -q 'without invertible: refuted' build/consumer/output
}

tidy() { run-clang-tidy-19 -quiet -p build/release "$PWD/(core|reparam|model|reports|cli)/.*\.cpp" >build/tidy.log 2>/dev/null ||
         { grep -E 'warning:|error:' build/tidy.log | sort -u; return 1; }; }

fuzz() {
  build fuzz || return 1
  local target name
  for target in build/fuzz/property_tests/fuzz/fuzz_*; do
    case $target in *.*) continue ;; esac
    name=$(basename "$target")
    mkdir -p "build/fuzz/corpus/$name"
    "$target" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=2048 -artifact_prefix=build/fuzz/ \
      "build/fuzz/corpus/$name" "property_tests/fuzz/seeds/${name#fuzz_}" || return 1
  done
}

benchmarks() { build release attest_bench && build/release/attest_bench --benchmark_min_time=0.01; }

start=$SECONDS
install_packages build test ${full:+full} || exit 1
fetch_weights || say "tests on the checkpoint will be skipped"
export ATTEST_RANDOM_SEED=${ATTEST_RANDOM_SEED:-$((RANDOM * 32768 + RANDOM))}
say "besides the fixed seed, properties run with ATTEST_RANDOM_SEED=$ATTEST_RANDOM_SEED"

check "the scripts parse" shell_parses
check "every C++ file is formatted" formatted
check "every source file has a test" tools/check_partners.sh
if check "the release build has no warning" build release; then
  suite release
  check "the example builds against the installed package" consumer
fi
if check "the build under sanitizers has no warning" build asan; then
  suite asan
fi
if [ -n "$full" ]; then
  check "clang-tidy finds nothing" tidy
  check "fuzzing the parsers finds nothing" fuzz
  check "the benchmarks run" benchmarks
fi

say "$((SECONDS - start)) s"
if [ $skipped -gt 0 ]; then
  echo "$passed passed, $failed failed, $skipped skipped"
else
  echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ] && [ $passed -gt 0 ]
