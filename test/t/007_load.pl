# 007_load.pl: sixteen sessions match, build, update, roll back, cancel and empty
# their caches at the same time.  Every answer is checked against the version of
# the rules that its snapshot sees.
#
# Rule set I in version V matches "rIvVx" and nothing of another version or set.
# What a session holds stays below its ac.cache_size and what it uses.
# LOAD_SECONDS (default 10) says how long; LOAD_CLIENTS (16) how many.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use AcTest;

my $seconds = $ENV{LOAD_SECONDS} // 10;
my $clients = $ENV{LOAD_CLIENTS} // 16;
my $node = new_node('main');
$node->append_conf('postgresql.conf', "autovacuum = on\nautovacuum_naptime = 1s\nac.cache_size = 4MB\n");
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ac;
CREATE TABLE rules (id int PRIMARY KEY, version int, automaton acautomaton, note int DEFAULT 0);
CREATE TABLE wrong (what text, id int, version int);

-- from some hundred bytes, inline, to what is stored out of line
CREATE FUNCTION rule_set(id int, version int) RETURNS acautomaton LANGUAGE sql AS $$
	SELECT ac_agg(p ORDER BY n) FROM (
		SELECT 0 AS n, format('r%sv%sx', id, version) AS p
		UNION ALL
		SELECT n, format('f%s-%s-%s', id, version, n) FROM generate_series(1, 10 + id * 137 % 1500) AS n) AS s
$$;
INSERT INTO rules SELECT id, 1, rule_set(id, 1) FROM generate_series(1, 40) AS id;

-- what this session holds in excess of its limit and 1 MB for what is in use
CREATE FUNCTION excess() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	held bigint;
BEGIN
	IF to_regclass('pg_catalog.pg_backend_memory_contexts') IS NULL THEN
		held := (SELECT sum(memory_bytes) FROM ac_cache());
	ELSE
		EXECUTE $q$SELECT sum(total_bytes) FROM pg_backend_memory_contexts WHERE name LIKE 'ac %'$q$ INTO held;
	END IF;
	RETURN held - pg_size_bytes(current_setting('ac.cache_size')) - 1024 * 1024;
END
$$;

-- all kinds of functions, from call sites that last for one call
CREATE FUNCTION is_right(automaton acautomaton, id int, version int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	old text := format('r%sv%sx', id, version - 1);
	now text := format('r%sv%sx', id, version);
	filler text := format('f%s-%s-7', id, version);
	body text := concat_ws(' ', old, now, filler);
BEGIN
	RETURN ac_found(automaton, body) = ARRAY[now, filler] AND ac_count(automaton, body) = 2
		AND ac_ids(automaton, body) = '{1,8}' AND ac_instr(automaton, body) = length(old) + 2
		AND (SELECT array_agg(pattern) = ARRAY[now, filler] FROM ac_find(automaton, body))
		AND body @~ automaton AND NOT automaton ~@ old
		AND ac_replace(automaton, body, '') = old || '  ' AND length(ac_mask(automaton, body)) = length(body);
END
$$;

CREATE FUNCTION may_be_canceled(query text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE query;
EXCEPTION WHEN query_canceled THEN
	NULL;
END
$$;
SQL

# A check inserts what was wrong.
sub check
{
	my ($what, $where) = @_;
	return <<"SQL";
INSERT INTO wrong SELECT '$what', id, version FROM rules WHERE $where AND NOT is_right(automaton, id, version);
INSERT INTO wrong SELECT '$what, directly', id, version FROM rules
	WHERE $where AND ac_ids(automaton, format('r%sv%sx r%sv%sx', id, version, id, version - 1)) <> '{1}';
INSERT INTO wrong SELECT '$what, memory', 0, e FROM excess() AS e WHERE e > 0;
SQL
}

my $next = 'SET version = version + 1, automaton = rule_set(id, version + 1) WHERE id = :id';
my %scripts = (
	'match@6' => check('match', 'true'),
	'update@3' => "\\set id random(1, 40)\nUPDATE rules $next;\n",
	'note@1' => "\\set id random(1, 40)\nUPDATE rules SET note = note + 1 WHERE id = :id;\n",
	'rollback@3' => join('',
		"\\set id random(1, 40)\nBEGIN;\nSELECT FROM rules WHERE id = :id FOR UPDATE;\nUPDATE rules $next;\n",
		check('own update', 'id = :id'), "SAVEPOINT s;\nUPDATE rules $next;\n",
		check('savepoint', 'id = :id'), "ROLLBACK TO s;\n",
		check('rolled back to the savepoint', 'id = :id'), "ROLLBACK;\n", check('rolled back', 'id = :id')),
	'small@2' => join('',
		"SELECT ac_cache_reset();\nSET ac.cache_size = '100kB';\n", check('small cache', 'true'),
		"INSERT INTO wrong SELECT 'memory', count(*), sum(memory_bytes) FROM ac_cache() HAVING sum(memory_bytes) > 100 * 1024;\n",
		"RESET ac.cache_size;\n"),
	'cancel@2' => join('',
		"\\set ms random(10, 50)\nSELECT ac_cache_reset();\nSET statement_timeout = :ms;\n",
		"SELECT may_be_canceled('SELECT sum(ac_count(automaton, repeat(''r1v1x f1-1-1 '', 20000))) FROM rules');\n",
		"RESET statement_timeout;\n", check('after a cancel', 'true')));
my @files;
for my $name (sort keys %scripts)
{
	my ($file, $weight) = split /@/, $name;
	my $path = PostgreSQL::Test::Utils::tempdir() . "/$file.sql";
	append_to_file($path, $scripts{$name});
	push @files, '-f', "$path\@$weight";
}

# In rounds: a cancel that comes outside of may_be_canceled() ends its session.
my ($done, $errors) = (0, '');
for (my $left = $seconds; $left > 0; $left -= 20)
{
	my ($out, $err);
	IPC::Run::run([ 'pgbench', '-n', '-c', $clients, '-j', 2, '-T', $left < 20 ? $left : 20, @files, $node->connstr('postgres') ],
		'>', \$out, '2>', \$err);
	$done += $1 if $out =~ /transactions actually processed: (\d+)/;
	$errors .= $err;
}
note("$done transactions");
cmp_ok($done, '>', 0, 'transactions were processed');
unlike($errors, qr/ERROR:\s++(?!canceling statement)/, 'only a cancel ends a session');
is($node->safe_psql('postgres', 'SELECT * FROM wrong LIMIT 5'), '', 'no answer was wrong');
cmp_ok($node->safe_psql('postgres', 'SELECT sum(version) FROM rules'), '>', 40, 'rules were updated');
is($node->safe_psql('postgres', 'SELECT count(*) FROM rules WHERE NOT is_right(automaton, id, version)'), '0', 'and are right in the end');
unlike(slurp_file($node->logfile), qr/terminated by signal|PANIC|server process .* exited/, 'no session crashed');
$node->stop;
done_testing();
