#!/bin/bash
# Builds and runs the unit tests of the core; the last line printed is
# "N passed, N failed", and the exit status says whether all passed.
#
#   test/unit/run.sh [--long]
#   test/unit/run.sh --built [--long] PROGRAM...     (for unit.mk)
#
# The programs run side by side, as many as there are processors.  What one
# printed is kept beside it (PROGRAM.tap) and shown if something failed.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
jobs=$(nproc 2>/dev/null || echo 2)
built=
programs=()
for argument in "$@"; do
  case $argument in
    --long) export AC_TEST_LONG=1 ;;
    --built) built=1 ;;
    *) programs+=("$argument") ;;
  esac
done

if [ -z "$built" ]; then
  exec make -s -f "$top/test/unit/unit.mk" -j "$jobs" check ${AC_TEST_LONG:+LONG=1}
fi

# A share of the exhaustive tests has to do under the sanitizers, and where they
# are run once more.
run_one() {
  case $1 in */sanitized/* | */plain/* | */coverage/*) export AC_TEST_SHARE=${AC_TEST_SHARE:-8} ;; esac
  local status=0 start=$SECONDS
  "$1" >"$1.tap" 2>&1 || status=$?
  printf '%s\n' "$status" >"$1.status"
  printf '%-11s %-20s %3d s  %s\n' "$(basename "$(dirname "$1")")" "${1##*/}" \
    $((SECONDS - start)) "$([ "$status" = 0 ] && echo ok || echo "FAILED ($status)")"
}
export -f run_one

rm -f "${programs[@]/%/.status}"
printf '%s\0' "${programs[@]}" |
  xargs -0 -P "$jobs" -I{} bash -c 'run_one "$1"' run {}

passed=0
failed=0
for program in "${programs[@]}"; do
  good=$(grep -c '^ok ' "$program.tap")
  bad=$(grep -c '^not ok ' "$program.tap")
  status=$(cat "$program.status" 2>/dev/null || echo "not run")
  # a crash, a sanitizer's report or a missing plan is a failure of its own
  [ "$status" = 0 ] || [ "$bad" != 0 ] || bad=1
  grep -q "^1\.\.$((good + bad))\$" "$program.tap" || [ "$bad" != 0 ] || bad=1
  if [ "$bad" != 0 ]; then
    echo "---- $program"
    grep -v '^ok ' "$program.tap" | cut -c 1-600 | head -n 60
  fi
  passed=$((passed + good))
  failed=$((failed + bad))
  sed -n "s|^ok [0-9]* - \(.*\) # SKIP \(.*\)|$(basename "$(dirname "$program")") ${program##*/}: skipped \1: \2|p" "$program.tap"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
