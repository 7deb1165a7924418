#!/usr/bin/env bash
# sql.sh DIRECTORY: the benchmark inside a server, over the sets and texts that
# run.sh has made in DIRECTORY/data; writes DIRECTORY/sql.tsv:
#
#	name, ms min, ms median, rows, query
#
# A throwaway cluster; queries take turns, over and over.  Times are those of
# the backend on a processor, but with parallel workers those of the clock.

. "$(dirname "$0")/../../scripts/lib.sh"

out=$1
rows=${ROWS:-1000000}
documents=2000
rounds=5
[ -z "${QUICK:-}" ] || { rows=${ROWS:-100000} documents=200; }

# ---- the server ----

find_postgres
work=$(mktemp -d "${TMPDIR:-/tmp}/ac-bench.XXXXXX")
trap 'cd /; stop_cluster "$work/cluster"; rm -rf "$work"' EXIT
chmod 755 "$work"
copy_postgres "$work/pg"
copy_project "$work/tree"
give "$work"
cd "$work"
say "building for PostgreSQL $pg_version"
as_runner make -C "$work/tree" -s -j "$(nproc)" PG_CONFIG="$pg_config" install \
  >"$out/sql-build.log" 2>&1 || { tail -n 30 "$out/sql-build.log" >&2; die "the build failed"; }
gcc -O2 -Wall -fPIC -shared -isystem "$("$pg_config" --includedir-server)" \
  -o "$work/bench_pg.so" "$top/test/bench/bench_pg.c"
mkdir -m 700 "$work/cluster"
start_cluster "$work/cluster" || die "the cluster did not start"
psql=(as_runner "$(dirname "$pg_config")/psql" -qXAt -v ON_ERROR_STOP=1)

# ---- the data ----

# copy TABLE FILE: each line of the file is a row.
copy() {
  sed 's/\\/\\\\/g; s/\t/\\t/g' "$2" | "${psql[@]}" -c "\\copy $1 FROM pstdin"
}

say "loading $rows log lines and $documents documents"
"${psql[@]}" <<SQL
SET client_min_messages = warning;
CREATE EXTENSION ac;
CREATE FUNCTION bench_cpu() RETURNS float8 AS '$work/bench_pg' LANGUAGE C VOLATILE STRICT;
CREATE FUNCTION bench_memchr(text) RETURNS bool AS '$work/bench_pg' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION bench_empty(acautomaton, text, OUT pos int, OUT len int) RETURNS SETOF record
	AS '$work/bench_pg' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION bench_nodes(text, text[], OUT ms float8, OUT bytes bigint)
	AS '$work/bench_pg' LANGUAGE C VOLATILE STRICT;
CREATE TABLE lines (body text);
CREATE TABLE words (set text DEFAULT current_setting('bench.set'), n serial, word text);
CREATE TABLE rules (name text, automaton acautomaton);
SQL
copy "lines (body)" "$out/data/texts/log"
for set in list crs dict eight one; do
  PGOPTIONS="-c bench.set=$set" copy "words (word)" "$out/data/sets/$set"
done
"${psql[@]}" <<SQL
SET client_min_messages = warning;
INSERT INTO rules SELECT set, ac_agg(word ORDER BY n) FROM words GROUP BY set;
CREATE TABLE logs (id int, body text) WITH (autovacuum_enabled = off);
INSERT INTO logs
	SELECT i, bodies[1 + i % array_length(bodies, 1)]
	FROM generate_series(0, $rows - 1) AS i, (SELECT array_agg(body) AS bodies FROM lines) AS b;
CREATE TABLE logs_20k AS SELECT * FROM logs WHERE id < 20000;
CREATE TABLE logs_1k AS SELECT * FROM logs WHERE id < 1000;
CREATE TABLE docs_external (body text);
ALTER TABLE docs_external ALTER body SET STORAGE external;
CREATE TABLE docs_lz4 (body text COMPRESSION lz4);
INSERT INTO docs_external
	SELECT (SELECT substr(string_agg(bodies[1 + (d * 37 + i) % array_length(bodies, 1)], E'\n'), 1, 100000)
			FROM generate_series(0, 1200) AS i)
	FROM generate_series(1, $documents) AS d, (SELECT array_agg(body) AS bodies FROM lines) AS b;
INSERT INTO docs_lz4 SELECT body || '' FROM docs_external;
ALTER TABLE docs_external SET (parallel_workers = 2);
VACUUM ANALYZE;
SQL

# ---- the queries ----

names=() queries=() counts=() settings=()

# query NAME ROWS QUERY [SETTING]: NAME is what report.pl knows it by.
query() {
  names+=("$1")
  counts+=("$2")
  queries+=("$3")
  settings+=("${4:-max_parallel_workers_per_gather = 0}")
}

rules() { echo "(SELECT automaton FROM rules WHERE name = '$1')"; }

# alternatives SET COUNT KIND: the first patterns as LIKE patterns or a regex.
alternatives() {
  case $3 in
    like) "${psql[@]}" -c "SELECT quote_literal(array_agg('%' || regexp_replace(word, '([\\\\%_])', '\\\\\\1', 'g') || '%' ORDER BY n)) FROM (SELECT * FROM words WHERE set = '$1' ORDER BY n LIMIT $2) AS w" ;;
    regex) "${psql[@]}" -c "SELECT quote_literal(string_agg(regexp_replace(word, '([^a-zA-Z0-9])', '\\\\\\1', 'g'), '|' ORDER BY n)) FROM (SELECT * FROM words WHERE set = '$1' ORDER BY n LIMIT $2) AS w" ;;
  esac
}

two='max_parallel_workers_per_gather = 2'
from="FROM logs, rules WHERE name = 'crs'"

query bare "$rows" "SELECT count(*) FROM logs"
query strpos "$rows" "SELECT count(*) FROM logs WHERE strpos(body, 'zzzqqqx') > 0"
query memchr "$rows" "SELECT count(*) FROM logs WHERE bench_memchr(body)"
for set in one eight list crs dict; do
  query "contains $set" "$rows" "SELECT count(*) FROM logs WHERE body @~ $(rules $set)"
done
query 'join crs' "$rows" "SELECT count(*) $from AND body @~ automaton"
query 'count crs' "$rows" "SELECT sum(ac_count($(rules crs), body)) FROM logs"
query 'matches select' "$rows" "SELECT count(m) FROM (SELECT ac_matches($(rules crs), body) AS m FROM logs) AS t"
query 'matches where' "$rows" "SELECT count(*) FROM logs, ac_matches($(rules crs), body) AS m WHERE body @~ $(rules crs)"
query 'matches from' "$rows" "SELECT count(*) FROM logs, ac_matches($(rules crs), body) AS m"
query 'empty from' "$rows" "SELECT count(*) FROM logs, bench_empty($(rules crs), body) AS m"
for n in 8 100; do
  case $n in 8) table=logs_20k size=20000 ;; *) table=logs_1k size=1000 ;; esac
  query "LIKE ANY, $n" $size "SELECT count(*) FROM $table WHERE body LIKE ANY ($(alternatives list $n like))"
  query "regex, $n" $size "SELECT count(*) FROM $table WHERE body ~ $(alternatives list $n regex)"
done
for kind in external lz4; do
  query "documents $kind memchr" "$documents" "SELECT count(*) FROM docs_$kind WHERE bench_memchr(body)"
  query "documents $kind ac_count" "$documents" "SELECT sum(ac_count($(rules crs), body)) FROM docs_$kind"
done
query 'parallel: bare' "$rows" "SELECT count(*) FROM logs" "$two"
query 'parallel: strpos' "$rows" "SELECT count(*) FROM logs WHERE strpos(body, 'zzzqqqx') > 0" "$two"
query 'parallel: contains crs' "$rows" "SELECT count(*) FROM logs WHERE body @~ $(rules crs)" "$two"
query 'parallel: documents external ac_count' "$documents" "SELECT sum(ac_count($(rules crs), body)) FROM docs_external" "$two"

# ---- running ----

script() {
  local round i clock
  echo 'SET jit = off;'
  for ((round = 0; round <= rounds; round++)); do    # the first warms up
    for i in "${!queries[@]}"; do
      clock='bench_cpu()'
      [ "${settings[i]}" != "$two" ] || clock='1e3 * extract(epoch FROM clock_timestamp())'
      printf "SET %s;\nSELECT %s AS start \\\\gset\n%s\n\\\\g /dev/null\n" \
        "${settings[i]}" "$clock" "${queries[i]}"
      printf "SELECT %d, %d, %s - :start;\n" "$round" "$i" "$clock"
    done
  done
}

say "running ${#queries[@]} queries, $rounds times"
script >"$work/script.sql"
chmod 644 "$work/script.sql"
"${psql[@]}" -F ' ' -f "$work/script.sql" >"$work/times"
for i in "${!queries[@]}"; do
  text=${queries[i]}
  [ ${#text} -lt 200 ] || text="${text:0:100} ..."
  awk -v i="$i" '$1 > 0 && $2 == i { print $3 }' "$work/times" | sort -g |
    awk -v name="${names[i]}" -v rows="${counts[i]}" -v q="${text//\\/\\\\}" '{ t[NR] = $1 }
      END { printf "%s\t%.3f\t%.3f\t%d\t%s\n", name, t[1], t[int((NR + 1) / 2)], rows, q }'
done >"$out/sql.tsv"

# Building a trie with an allocation a node, by the server's contexts and not.
for set in list dict; do
  for how in malloc aset generation slab array; do
    "${psql[@]}" -F $'\t' -c "
      SELECT '$set', '$how', min(ms), max(bytes) FROM (
        SELECT (bench_nodes('$how', words)).* FROM generate_series(1, 7),
               (SELECT array_agg(word ORDER BY n) AS words FROM words WHERE set = '$set') AS w) AS t"
  done
done >"$out/allocation.tsv"
"${psql[@]}" -c "SELECT 'PostgreSQL ' || current_setting('server_version')" >"$out/sql-version"
"${psql[@]}" -c "SELECT round(100.0 * count(*) / $rows, 1) FROM logs WHERE body @~ $(rules crs)" >"$out/sql-share"
