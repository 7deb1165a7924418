#!/usr/bin/env bash
# test.sh [PHASE...]: every test of the project, or only the named phases.
#
#	build	gcc and clang, bitcode included, without a warning
#	unit	the core alone, under the address and undefined sanitizers
#	regress	SQL topics (sql/*.sql, expected/*.out)
#	pgtap	the interface (test/pgtap)
#	readme	every SQL block of the README with the output shown there, and its picture
#	tap		clusters: dump, upgrade, standby, damage, faults (test/t)
#
# What is missing is installed.  Everything happens in a work directory below
# ${TMPDIR:-/tmp}, in copies of this tree and of PostgreSQL's.  KEEP=1 keeps it.
# Log files go to build/test.  The last line counts what passed and failed.

. "$(dirname "$0")/lib.sh"

phases=("$@")
[ $# -gt 0 ] || phases=(build unit regress pgtap readme tap)
passed=0
failed=0
logs=$top/build/test
rm -rf "$logs"
mkdir -p "$logs"

work=$(mktemp -d "${TMPDIR:-/tmp}/ac-test.XXXXXX")
chmod 755 "$work"
finish() {
  local status=$?
  cd /
  stop_cluster "$work/cluster"
  if [ -n "${KEEP:-}" ]; then say "kept: $work"; else rm -rf "$work"; fi
  exit $status
}
trap finish EXIT
trap 'exit 130' INT TERM

wants() { case " ${phases[*]} " in *" $1 "*) ;; *) return 1 ;; esac; }

# count OK BAD WHAT LOG: adds to the sums; shows the log's end when BAD is not 0.
count() {
  passed=$((passed + $1))
  failed=$((failed + $2))
  if [ "$2" = 0 ]; then
    say "  ok      $3 ($1)"
  else
    say "  FAILED  $3 ($1 passed, $2 failed); the log ends:"
    tail -n "${LOG_LINES:-60}" "$4" | sed 's/^/          | /'
  fi
}

# check WHAT COMMAND...: one test that is its exit status.
check() {
  local what=$1 log
  log=$logs/$(tr -c 'a-z0-9\n' - <<<"$what").log
  shift
  if as_runner "$@" >"$log" 2>&1 </dev/null; then count 1 0 "$what" "$log"
  else count 0 1 "$what" "$log"; fi
}

# summed WHAT COMMAND...: a command whose last line is "N passed, N failed".
summed() {
  local what=$1 log line ok bad status=0
  log=$logs/$(tr -c 'a-z0-9\n' - <<<"$what").log
  shift
  as_runner "$@" >"$log" 2>&1 </dev/null || status=$?
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1) || line="0 passed, 1 failed"
  ok=${line%% *}
  bad=${line#*, }
  bad=${bad%% *}
  [ $status = 0 ] || [ "$bad" != 0 ] || bad=1
  count "$ok" "$bad" "$what" "$log"
}

# proved WHAT COMMAND...: a command that runs prove.
proved() {
  local what=$1 log ok bad status=0
  log=$logs/$(tr -c 'a-z0-9\n' - <<<"$what").log
  shift
  as_runner "$@" >"$log" 2>&1 </dev/null || status=$?
  bad=$(awk '/^[^ ]+ +\(Wstat: .* Failed: [0-9]+\)/ && !seen[$0]++ {
      sub(/.*Failed: /, ""); bad += $0 } END { print bad + 0 }' "$log")
  ok=$(sed -n 's/^Files=[0-9]*, Tests=\([0-9]*\),.*/\1/p' "$log" | tail -n 1)
  ok=$((${ok:-0} - bad))
  [ $status = 0 ] || [ "$bad" != 0 ] || bad=1
  [ $status != 0 ] || [ "$ok" -gt 0 ] || bad=1
  count "$ok" "$bad" "$what" "$log"
}

# ---- phases ----

test_build() {
  local source failures=0 log=$logs/clang.log clang
  say "building with gcc, bitcode with clang, warnings are errors"
  check "gcc" make -C "$work/tree" -j "$(nproc)" PG_CONFIG="$pg_config" \
    CC=gcc COPT=-Werror all
  clang=$(make -C "$work/tree" -s PG_CONFIG="$pg_config" print-CLANG)
  [ -x "$clang" ] || clang=$(command -v clang || true)
  [ -n "$clang" ] || { say "  skipped: no clang"; return 0; }
  for source in "$work"/tree/src/*/*.c; do
    as_runner "$clang" -Wall -Wextra -Werror -Wdeclaration-after-statement \
      -fsyntax-only -I"$work/tree/src/core" -I"$work/tree/src/pg" \
      -isystem "$("$pg_config" --includedir-server)" -D_GNU_SOURCE "$source" \
      >>"$log" 2>&1 || failures=1
  done
  count $((1 - failures)) $failures "clang" "$log"
}

test_unit() {
  say "unit tests of the core, sanitized"
  check "unicode tables" perl "$work/tree/scripts/gen_unicode" --check
  summed "unit" bash "$work/tree/test/unit/run.sh"
}

test_regress() {
  local log=$logs/regress.log status=0 ok bad
  say "regression topics"
  as_runner make -C "$work/tree" -s PG_CONFIG="$pg_config" \
    ${REGRESS:+REGRESS="$REGRESS"} installcheck >"$log" 2>&1 </dev/null || status=$?
  # "test x ... ok 12 ms" up to PostgreSQL 15, "ok 1 - x 12 ms" since
  ok=$(grep -cE '^test .*\.\.\. ok|^ok +[0-9]+' "$log" || true)
  bad=$(grep -cE '^test .*\.\.\. FAILED|^not ok +[0-9]+' "$log" || true)
  [ $status = 0 ] || [ "$bad" != 0 ] || bad=1
  [ ! -e "$work/tree/regression.diffs" ] || cat "$work/tree/regression.diffs" >>"$log"
  count "$ok" "$bad" "regress" "$log"
  [ -n "${REGRESS:-}" ] || check "every topic is listed" bash -c '
    listed=" $(make -C "$0" -s PG_CONFIG="$1" print-REGRESS) "
    for topic in "$0"/sql/*.sql; do
      topic=$(basename "$topic" .sql)
      case $topic in ac--*) continue ;; esac
      case $listed in *" $topic "*) ;; *) echo "not in REGRESS: $topic"; exit 1 ;; esac
    done' "$work/tree" "$pg_config"
}

test_pgtap() {
  say "interface, by pgTAP"
  as_runner psql -qX -c 'CREATE DATABASE pgtap' -c '\c pgtap' \
    -c 'CREATE EXTENSION pgtap' -c 'CREATE EXTENSION ac' >"$logs/pgtap-setup.log" 2>&1 ||
    { count 0 1 "pgtap" "$logs/pgtap-setup.log"; return 0; }
  proved "pgtap" env PGDATABASE=pgtap PGOPTIONS=--client-min-messages=warning \
    pg_prove "$work"/tree/test/pgtap/*.sql
}

test_readme() {
  say "the README's examples and recipes"
  summed "readme" perl "$work/tree/scripts/readme.pl" "$work/tree/README.md"
  summed "picture" bash "$work/tree/scripts/picture.sh" --check
}

test_tap() {
  say "cluster tests (dump, upgrade, standby, damage)"
  proved "tap" bash "$work/tree/scripts/tap.sh" ${T:+"$T"}
}

# ---- the run ----

say "test: ${phases[*]}"
find_postgres pgtap
install_packages make libssl-dev libtap-parser-sourcehandler-pgtap-perl libipc-run-perl unicode-data graphviz
say "PostgreSQL $pg_version, as user $(choose_runner; echo "$runner"), in $work"
copy_postgres "$work/pg"
copy_project "$work/tree"
give "$work"
export PG_CONFIG=$pg_config
PATH=$("$pg_config" --bindir):$PATH
# Nobody reads the progress of a child from a directory it may not enter.
cd "$work"

! wants build || test_build
! wants unit || test_unit
if wants regress || wants pgtap || wants readme || wants tap; then
  check "install" make -C "$work/tree" -s -j "$(nproc)" PG_CONFIG="$pg_config" install
fi
if wants regress || wants pgtap || wants readme; then
  start_cluster "$work/cluster" || die "the cluster did not start"
  ! wants regress || test_regress
  ! wants pgtap || test_pgtap
  ! wants readme || test_readme
  stop_cluster "$work/cluster"
fi
! wants tap || test_tap

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
