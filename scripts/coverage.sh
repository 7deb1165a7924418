#!/usr/bin/env bash
# coverage.sh: which lines the tests run.  The core by its unit tests alone, the
# glue by the regression topics, pgTAP and the TAP tests.  The line of each file
# and the two sums are printed; which lines were missed stands in
# build/coverage/*.gcov ("#####").

. "$(dirname "$0")/lib.sh"

out=$top/build/coverage
rm -rf "$out"
mkdir -p "$out"
find_postgres pgtap
install_packages make libssl-dev libtap-parser-sourcehandler-pgtap-perl libipc-run-perl
work=$(mktemp -d "${TMPDIR:-/tmp}/ac-coverage.XXXXXX")
chmod 755 "$work"
trap 'cd /; stop_cluster "$work/cluster"; rm -rf "$work"' EXIT
copy_postgres "$work/pg"
copy_project "$work/tree"
give "$work"
export PG_CONFIG=$pg_config
PATH=$("$pg_config" --bindir):$PATH
cd "$work"

# summary NAME OBJECTS...: lines run of each source, and of all.
summary() {
  local name=$1
  shift
  (cd "$out" && gcov -r -s "$work/tree" "$@" 2>/dev/null) |
    awk -v name="$name" '
      /^File / { file = $2; gsub(/\047/, "", file) }
      /^Lines executed:/ && file ~ /src\// {
        split($2, part, /[:%]/); lines = $4
        printf "  %6.2f%% of %4d  %s\n", part[2], lines, file
        run += part[2] * lines / 100; all += lines; file = ""
      }
      END { printf "%s: %.1f%% of %d lines\n", name, all ? 100 * run / all : 0, all }'
}

say "unit tests"
as_runner make -s -f "$work/tree/test/unit/unit.mk" -j "$(nproc)" check BUILDS=coverage >"$out/unit.log" 2>&1 || say "(some unit tests failed)"

say "building the extension"
as_runner make -C "$work/tree" -s -j "$(nproc)" with_llvm=no COPT="-O0 --coverage" install >"$out/build.log" 2>&1 ||
  { tail -n 20 "$out/build.log"; die "the build failed"; }
start_cluster "$work/cluster" || die "the cluster did not start"
say "regression topics and pgTAP"
as_runner make -C "$work/tree" -s installcheck >"$out/regress.log" 2>&1 || say "(some topics failed)"
as_runner createdb pgtap
PGDATABASE=pgtap as_runner pg_prove "$work"/tree/test/pgtap/*.sql >"$out/pgtap.log" 2>&1 || say "(pgTAP failed)"
stop_cluster "$work/cluster"
say "TAP tests"
as_runner bash "$work/tree/scripts/tap.sh" >"$out/tap.log" 2>&1 || say "(TAP tests failed)"

say "coverage"
summary core "$work"/tree/build/unit/coverage/ac_*.o
summary glue "$work"/tree/src/pg/*.o
