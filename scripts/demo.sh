#!/usr/bin/env bash
# demo.sh [stop]: real attack patterns in real log lines.
#
# Patterns: the .data lists of Debian's modsecurity-crs.  Log lines: the samples
# in Debian's fail2ban, multiplied, with attack requests made from the patterns
# among them.  Both packages are unpacked, not installed.
#
# Without PGHOST and PGDATABASE a throwaway cluster is started, behind a unix
# socket in a directory that only its owner enters; it keeps running until
# "make demo-stop".  With either of them the demo goes to that server, into a
# schema "ac_demo" of its own.
#
# ROWS=1000000 log lines.

. "$(dirname "$0")/lib.sh"

rows=${ROWS:-1000000}
state=$top/build/demo
mkdir -p "$state"

# stop_demo: stops and removes the cluster of an earlier run, if there is one.
stop_demo() {
  local dir
  [ -e "$state/where" ] || return 0
  { read -r dir; read -r pg_config; } <"$state/where"
  [ -e "$pg_config" ] && stop_cluster "$dir/cluster"
  case $dir in */ac-demo.*) rm -rf "$dir" ;; esac
  rm -f "$state/where"
  say "stopped and removed $dir"
}

if [ "${1:-}" = stop ]; then
  [ -e "$state/where" ] || die "no demo is running"
  stop_demo
  exit 0
fi

# ---- the server ----

own_server() {
  stop_demo
  find_postgres
  work=$(mktemp -d "${TMPDIR:-/tmp}/ac-demo.XXXXXX")
  trap 'cd /; stop_cluster "$work/cluster"; rm -rf "$work"' EXIT
  chmod 755 "$work"
  copy_postgres "$work/pg"
  copy_project "$work/tree"
  give "$work"
  cd "$work"
  say "building for PostgreSQL $pg_version"
  as_runner make -C "$work/tree" -s -j "$(nproc)" PG_CONFIG="$pg_config" install \
    >"$state/build.log" 2>&1 || { tail -n 30 "$state/build.log" >&2; die "the build failed"; }
  say "starting a cluster in $work/cluster"
  mkdir -m 700 "$work/cluster"
  start_cluster "$work/cluster" || die "the cluster did not start"
  as_runner "$(dirname "$pg_config")/createdb" demo
  export PGDATABASE=demo
  psql=(as_runner "$(dirname "$pg_config")/psql")
  "${psql[@]}" -qXc "ALTER DATABASE demo SET search_path = ac_demo, public"
}

users_server() {
  psql=(psql)
  command -v psql >/dev/null || install_packages postgresql-client
  "${psql[@]}" -qXAtc "SELECT 1" >/dev/null || die "cannot connect"
  [ -z "$(available)" ] || return 0
  find_postgres
  say "building and installing for PostgreSQL $pg_version"
  make -C "$top" -s -j "$(nproc)" PG_CONFIG="$pg_config" all &&
    as_root make -C "$top" -s PG_CONFIG="$pg_config" install || die "the build failed"
  [ -n "$(available)" ] || die "installed, but the server looks elsewhere: set PG_CONFIG"
}

available() {
  "${psql[@]}" -qXAtc "SELECT 1 FROM pg_available_extensions WHERE name = 'ac'"
}

# ---- the data ----

# The pattern lists as COPY lines: list, pattern.  Blanks around a pattern and
# carriage returns are no part of it.
patterns() {
  local file
  for file in "$state"/crs/usr/share/modsecurity-crs/rules/*.data; do
    sed -e 's/\r$//' -e 's/^[[:blank:]]*//; s/[[:blank:]]*$//' -e '/^#/d; /^$/d' \
      -e 's/\\/\\\\/g; s/\t/\\t/g' -e "s|^|$(basename "$file" .data)\t|" -e '$a\' "$file"
  done
}

# The sample log lines as COPY lines: source, body.
log_lines() {
  local file
  find "$state/fail2ban" -path '*/tests/files/logs/*' -type f | sort | while read -r file; do
    # "$a\" ends the last line of a file that does not
    iconv -c -f UTF-8 -t UTF-8 "$file" | tr -d '\000\r' |
      sed -e '/^#/d; /^[[:blank:]]*$/d' -e 's/\\/\\\\/g; s/\t/\\t/g' \
        -e "s|^|$(basename "$file")\t|" -e '$a\'
  done
}

copy() {
  "${psql[@]}" -qX -v ON_ERROR_STOP=1 -c 'SET search_path = ac_demo, public' -c "\\copy $1 FROM pstdin"
}

say "demo: attack patterns in log lines"
if [ -n "${PGHOST:-}${PGDATABASE:-}" ]; then
  users_server
else
  own_server
fi
unpack_package modsecurity-crs "$state/crs"
unpack_package fail2ban "$state/fail2ban"

run() { "${psql[@]}" -qX -v ON_ERROR_STOP=1 "$@"; }

run -c "SET client_min_messages = warning" -c "DROP SCHEMA IF EXISTS ac_demo CASCADE" \
  -c "CREATE EXTENSION IF NOT EXISTS ac" -c "CREATE SCHEMA ac_demo" \
  -c "CREATE TABLE ac_demo.lists (list text, pattern text)" \
  -c "CREATE TABLE ac_demo.samples (source text, body text)" \
  -c "CREATE TABLE ac_demo.logs (id bigint, source text, body text)"
patterns | copy lists
log_lines | copy samples
say "loading $rows log lines"
step=$(((rows + 9) / 10))
for ((from = 0; from < rows; from += step)); do
  run -v from="$from" -v to=$((from + step < rows ? from + step : rows)) -f - <"$top/scripts/demo-logs.sql"
  [ ! -t 1 ] || printf '\r        %d' $((from + step))
done
[ ! -t 1 ] || printf '\r'
say "compiling the rules, then matching"
run -f - <"$top/scripts/demo.sql"

if [ -n "${work:-}" ]; then
  trap - EXIT
  printf '%s\n' "$work" "$pg_config" >"$state/where"
  cat <<TEXT

The cluster keeps running.  Look around, in the tables lists, logs, rules, hits:
  psql -h $work/cluster -U postgres demo
Stop and remove it:
  make demo-stop
TEXT
else
  cat <<TEXT

Everything is in the schema ac_demo.  Look around, in the tables lists, logs,
rules, hits:
  PGOPTIONS='-c search_path=ac_demo,public' psql
Remove it:
  psql -c 'DROP SCHEMA ac_demo CASCADE'
TEXT
fi
