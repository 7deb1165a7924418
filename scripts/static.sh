#!/usr/bin/env bash
# static.sh: what analyzers say of the core; a finding is a failure.
#
#	gcc -fanalyzer, clang-tidy, cppcheck
#
# Left out, with the reason:
#	shifts			the analyzers do not know which widths occur; the unit tests
#					run under the undefined-behaviour sanitizer, which does
#	memcpy_s etc.	the C library has none
#	swapped parameters, widened products, shadowed functions, scope, array index
#					matters of taste: offsets and lengths are of one type, the
#					products are of small constants, and (i > 0; i--) is a loop
#
# Ends with "N passed, N failed".

. "$(dirname "$0")/lib.sh"

install_packages gcc clang clang-tidy cppcheck libc6-dev
cd "$top"
log=$top/build/static.log
mkdir -p "${log%/*}"
passed=0
failed=0

# check WHAT COMMAND...
check() {
  local what=$1
  shift
  if "$@" >"$log" 2>&1; then
    passed=$((passed + 1))
    say "  ok      $what"
  else
    failed=$((failed + 1))
    say "  FAILED  $what"
    grep -E 'error|warning|style|performance|portability' "$log" | head -n 20
  fi
}

tidy_checks='-*,clang-analyzer-*,bugprone-*,cert-*,misc-*,performance-*,portability-*'
tidy_checks+=',-clang-analyzer-core.UndefinedBinaryOperatorResult'
tidy_checks+=',-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling'
tidy_checks+=',-bugprone-easily-swappable-parameters'
tidy_checks+=',-bugprone-implicit-widening-of-multiplication-result'

for source in src/core/*.c; do
  check "gcc -fanalyzer ${source##*/}" gcc -std=c11 -O2 -Wall -Wextra -Werror -fanalyzer \
    -Wno-analyzer-shift-count-overflow -Isrc/core -c -o /dev/null "$source"
  check "clang-tidy ${source##*/}" clang-tidy --quiet --checks="$tidy_checks" \
    --warnings-as-errors='*' "$source" -- -std=c11 -Isrc/core
done
check "cppcheck" cppcheck --quiet --std=c11 --enable=warning,performance,portability,style \
  --suppress=missingIncludeSystem --suppress=shadowFunction --suppress=variableScope --suppress=arrayIndexThenCheck \
  --error-exitcode=1 -Isrc/core src/core

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
