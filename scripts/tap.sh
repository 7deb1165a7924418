#!/usr/bin/env bash
# tap.sh [FILE...]: the TAP tests (test/t) against the installed extension.
#
# They start clusters of their own with PostgreSQL's Perl modules, which stand
# in the PGXS tree.  PG_CONFIG says which PostgreSQL.  Not for root.

set -euo pipefail

cd "$(dirname "$0")/.."
pg_config=${PG_CONFIG:-pg_config}
[ "$(id -u)" != 0 ] || { echo "PostgreSQL does not run as root" >&2; exit 1; }
pgxs=$("$pg_config" --pgxs)
src=${pgxs%/makefiles/pgxs.mk}
modules=$src/test/perl
[ -d "$modules/PostgreSQL" ] || { echo "no PostgreSQL::Test modules in $modules" >&2; exit 1; }
[ $# -gt 0 ] || set -- test/t/*.pl

# Unix sockets want short paths; data directories may be large.
data=$(mktemp -d "${TMPDIR:-/tmp}/ac-tap.XXXXXX")
trap 'rm -rf "$data"' EXIT
export TESTDIR=$data TESTDATADIR=$data TESTLOGDIR=$data/log PGPORT=65432
export PG_REGRESS=$src/test/regress/pg_regress PATH="$("$pg_config" --bindir):$PATH"
unset PGHOST PGUSER PGDATABASE
mkdir "$data/log"
status=0
prove -I "$modules" -I test/t ${V:+-v} "$@" 2>&1 | tee "$data/prove.log" || status=$?
if [ $status != 0 ]; then
  # what the servers of the failed files said, then once more what failed
  sed -n 's|^\([^ ]*\)\.pl  *(Wstat.*|\1|p' "$data/prove.log" | while read -r file; do
    find "$data" -name "$(basename "$file")*.log" -size +0 \
      -exec sh -c 'echo "== $1"; tail -n 25 "$1"' log {} \;
  done
  grep -A 4 '^#  *Failed test' "$data/prove.log" || true
  sed -n '/^Test Summary Report/,$p' "$data/prove.log"
fi
exit $status
