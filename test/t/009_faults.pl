# 009_faults.pl: memory that runs out, statements that are canceled, a full disk
# and a backend that is killed: the server goes on, and nothing is left behind.
#
# Everything happens in one session, whose memory is looked at before and after.
# Its limits are set by prlimit, called through COPY TO PROGRAM: the parent of
# the shell is the backend.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use AcTest;

my $node = new_node('main');
$node->append_conf('postgresql.conf', <<'CONF');
shared_buffers = 16MB
restart_after_crash = on
max_parallel_workers_per_gather = 0
jit = off
CONF
# Memory that is freed leaves the process, so that each query needs its own anew.
@ENV{qw(MALLOC_MMAP_THRESHOLD_ MALLOC_TRIM_THRESHOLD_ MALLOC_TOP_PAD_)} = (8192, 0, 0);
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ac;
CREATE TABLE rules (name text PRIMARY KEY, automaton acautomaton);
CREATE TABLE bodies AS SELECT md5(n::text) || ' ' || md5((n + 1)::text) AS body FROM generate_series(1, 2000) AS n;
INSERT INTO rules SELECT 'hashes', ac_agg(left(md5(i::text), 12), i * 3 ORDER BY i) FROM generate_series(1, 10000) AS i;
INSERT INTO rules SELECT 'folded', ac_build(array_agg(upper(left(md5(i::text), 12)) ORDER BY i), ignore_case => true) FROM generate_series(1, 10000) AS i;

-- each of them works on what is large
CREATE TABLE queries (n int GENERATED ALWAYS AS IDENTITY, query text);
INSERT INTO queries (query) VALUES
	('SELECT ac_agg(md5(i::text), i) FROM generate_series(1, 20000) AS i'),
	('SELECT ac_build(array_agg(md5(i::text)), ignore_case => true) FROM generate_series(1, 20000) AS i'),
	('SELECT count(*) FROM rules, bodies WHERE body @~ automaton'),
	('SELECT sum(ac_count(automaton, body, ''leftmost-longest'')) FROM rules, bodies'),
	('SELECT count(*) FROM rules, bodies, ac_find(automaton, body)'),
	('SELECT count(*) FROM (SELECT ac_find(automaton, body) FROM rules, bodies OFFSET 0) AS t'),
	('SELECT max(ac_replace(automaton, repeat(body, 1000), ''replacement'')) FROM rules, (TABLE bodies LIMIT 5) AS b'),
	('SELECT max(ac_mask(automaton, repeat(body, 1000))) FROM rules, (TABLE bodies LIMIT 5) AS b'),
	('SELECT max(length(ac_highlight(automaton, repeat(body, 1000)))) FROM rules, (TABLE bodies LIMIT 5) AS b'),
	('SELECT max(cardinality(ac_found(automaton, repeat(body, 1000)))) FROM rules, (TABLE bodies LIMIT 5) AS b'),
	('SELECT sum(length(automaton::text)) FROM rules'),
	('SELECT sum(octet_length(acautomaton_send(automaton))) FROM rules'),
	('SELECT sum(length(automaton::text::acautomaton::text)) FROM rules'),
	('SELECT count(ac_union(automaton, automaton)), count(ac_add(automaton, ''{new}'')), count(ac_remove_ids(automaton, ''{3}'')) FROM rules'),
	('SELECT count(*) FROM rules, ac_patterns(automaton)');

-- how a query ends
CREATE FUNCTION try(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE query;
	RETURN 'ok';
EXCEPTION WHEN OTHERS OR query_canceled THEN
	RETURN CASE sqlstate WHEN 'XX000' THEN sqlerrm ELSE sqlstate END;
END $$;

-- and with so many bytes more than the backend has now; NULL: no limit
CREATE PROCEDURE limit_memory(more bigint) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('COPY (SELECT) TO PROGRAM %L', 'prlimit --pid $PPID --as=' || coalesce(
		(split_part(pg_read_file('/proc/self/statm', 0, 100), ' ', 1)::bigint * 4096 + more)::text, 'unlimited') || ':');
END $$;
CREATE FUNCTION try_within(query text, more bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	-- what lifting the limit needs itself
	reserve text := repeat('r', 20000000);
	ended text;
BEGIN
	PERFORM ac_cache_reset();
	CALL limit_memory(more);
	ended := try(query);
	reserve := NULL;
	CALL limit_memory(NULL);
	RETURN ended;
EXCEPTION WHEN OTHERS THEN
	reserve := NULL;
	CALL limit_memory(NULL);
	RETURN sqlstate;
END $$;

-- with more and more memory, until it is enough
CREATE FUNCTION endings(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	more bigint := 100000;
	ended text;
BEGIN
	LOOP
		ended := try_within(query, more);
		RETURN NEXT ended;
		EXIT WHEN ended = 'ok' OR more > 100000000;
		more := more * 1.8;
	END LOOP;
END $$;

-- what is held beside the cache, which is emptied first
CREATE FUNCTION held(OUT contexts bigint, OUT bytes bigint) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM ac_cache_reset();
	IF to_regclass('pg_catalog.pg_backend_memory_contexts') IS NULL THEN
		SELECT count(*), coalesce(sum(memory_bytes), 0) FROM ac_cache() INTO contexts, bytes;
	ELSE
		EXECUTE $q$SELECT count(*), sum(total_bytes) FROM pg_backend_memory_contexts WHERE name LIKE 'ac %'$q$ INTO contexts, bytes;
	END IF;
END $$;
SQL

# ---- memory runs out, earlier and later in each query ----

# Every query once, and once more from the cache, so that it has its size.
my $warm = 'SELECT try(query) FROM queries ORDER BY n;' x 2;
my $queries = $node->safe_psql('postgres', 'SELECT count(*) FROM queries');
my $all_ok = join("\n", ('ok') x (2 * $queries));
my $out = $node->safe_psql('postgres', <<"SQL");
$warm
SELECT contexts, bytes FROM held() \\gset
CREATE TEMP TABLE tried AS SELECT n, ended FROM queries, endings(query) AS ended;
SELECT contexts - :contexts, bytes - :bytes FROM held();
SELECT DISTINCT ended FROM tried WHERE ended NOT IN ('ok', '53200');
SELECT 'failed', count(*) FROM (SELECT n FROM tried WHERE ended = '53200' GROUP BY n) AS t;
SELECT 'succeeded', count(*) FROM (SELECT n FROM tried WHERE ended = 'ok' GROUP BY n) AS t;
SELECT count(*) FROM rules, bodies WHERE body @~ automaton;
SQL
is($out, join("\n", $all_ok, '0|0', "failed|$queries", "succeeded|$queries", '4000'),
	'out of memory at any point: the session goes on and holds nothing');

# ---- canceled at random moments ----

# A timeout counts from the start of its statement, so it may also come before
# try() begins or after it has ended: then it is psql that is told.
my $err;
$node->psql('postgres', $warm . <<'SQL', on_error_stop => 0, stdout => \$out, stderr => \$err);
SELECT contexts, bytes FROM held() \gset
CREATE TEMP TABLE tried (ended text);
SELECT format('SET statement_timeout = %s; INSERT INTO tried SELECT try(%L); RESET statement_timeout;', 1 + (random() * 40)::int,
			  CASE WHEN i % 3 = 0 THEN 'SELECT ac_cache_reset();' ELSE '' END || query)
FROM generate_series(1, 12) AS i, queries ORDER BY md5(i || query) \gexec
SELECT contexts - :contexts, bytes - :bytes FROM held();
SELECT DISTINCT ended FROM tried WHERE ended NOT IN ('ok', '57014');
SELECT count(*) > 10 FROM tried WHERE ended = '57014';
SELECT count(*) FROM rules, bodies WHERE body @~ automaton;
SQL
is($out, "$all_ok\n0|0\nt\n4000", 'canceled at random: the session goes on and holds nothing');
unlike($err, qr/ERROR:\s++(?!canceling statement due to statement timeout)/, 'and nothing else goes wrong');

# ---- no room for a result ----

# A temporary file may not grow, as on a full disk; write-ahead log files may.
$out = $node->safe_psql('postgres', $warm . <<'SQL');
SELECT contexts, bytes FROM held() \gset
SET work_mem = '64kB';
COPY (SELECT) TO PROGRAM 'prlimit --pid $PPID --fsize=17000000:';
SELECT try('SELECT count(*) FROM ac_find(''{a,aa,aaa}'', repeat(''a'', 2000000))') <> 'ok';
SELECT try('SELECT count(*) FROM (SELECT ac_find(''{a,aa,aaa}'', repeat(''a'', 2000000)) AS f ORDER BY f) AS t') <> 'ok';
COPY (SELECT) TO PROGRAM 'prlimit --pid $PPID --fsize=unlimited:';
SELECT contexts - :contexts, bytes - :bytes FROM held();
SELECT count(*) FROM ac_find('{a,aa,aaa}', repeat('a', 2000000));
SQL
is($out, "$all_ok\nt\nt\n0|0\n5999997", 'no room for a result: an error, and the session goes on');

# ---- killed in the middle of a build ----

for my $query ('INSERT INTO rules SELECT \'killed\', ac_agg(md5(i::text)) FROM generate_series(1, 3000000) AS i',
	'UPDATE rules SET automaton = (SELECT ac_build(array_agg(md5(i::text)), ignore_case => true) FROM generate_series(1, 3000000) AS i)')
{
	my ($out, $err);
	my $client = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-c', $query ], '<', \'', '>', \$out, '2>', \$err);
	my $building = q{FROM pg_stat_activity WHERE state = 'active' AND query ~ '^(INSERT|UPDATE)'
		AND clock_timestamp() - query_start > interval '0.3 seconds'};
	$node->poll_query_until('postgres', "SELECT count(*) = 1 $building") or die "the query did not start\n";
	my $pid = $node->safe_psql('postgres', "SELECT pid $building");
	is(kill('KILL', $pid), 1, 'a backend is killed while it builds');
	$client->finish;
	like($err, qr/server closed the connection|terminat/, 'its client is told');
	$node->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()');
	is($node->safe_psql('postgres', 'SELECT count(*) FROM rules, bodies WHERE body @~ automaton; SELECT count(*) FROM rules'), "4000\n2",
		'after recovery the rules are what they were');
}
$node->stop;
done_testing();
