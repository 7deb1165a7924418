# 008_limits.pl: what the README's "Limits" say of publications, foreign servers,
# other types and plain patterns is true.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use AcTest;

my $node = new_node('main');
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ac;
CREATE TABLE logs (id int PRIMARY KEY, body text);
INSERT INTO logs SELECT i, 'line ' || i FROM generate_series(1, 1000) AS i;
CREATE TABLE rules (automaton acautomaton);
INSERT INTO rules VALUES ('{"line 7","e 99"}');
SQL

sub answer { return $node->safe_psql('postgres', $_[0]); }

# The error that a command ends with.
sub complaint
{
	my ($status, $out, $err) = $node->psql('postgres', $_[0]);
	return $status == 0 ? 'none' : $err;
}

sub available
{
	return answer("SELECT count(*) FROM pg_available_extensions WHERE name = '$_[0]'");
}

# ---- patterns are plain text ----

is(answer(q{SELECT ac_found('{%a_,^b,"c$","[d]",e*,"\\\\f",.}', 'xa1 b c d eee f')}),
	'{}', 'no wildcards, classes, anchors, escapes');
is(answer(q{SELECT ac_found('{%a_,^b,"c$","[d]",e*,"\\\\f",.}', '%a_ ^b c$ [d] e* \f .') =
			'{%a_,^b,"c$","[d]",e*,"\\\\f",.}'::acautomaton::text[]}),
	't', 'they match themselves');
is(answer(q{SELECT U&'caf\00E9' @~ ac_build(ARRAY[U&'cafe\0301']),
				   normalize(U&'caf\00E9', NFC) @~ ac_build(ARRAY[normalize(U&'cafe\0301', NFC)])}),
	'f|t', 'normalization is up to the user');
is(answer(q{SELECT 'a word' @~ ac_build(ARRAY[line]), 'a word' @~ ac_build(ARRAY[btrim(line, E' \t\r')])
			FROM (SELECT E'word \r' AS line) AS l}),
	'f|t', 'blanks and carriage returns are part of a pattern');

# ---- other types ----

like(complaint(q{SELECT '{"body": "foo"}'::jsonb @~ '{foo}'::acautomaton}),
	qr/operator does not exist: jsonb @~ acautomaton/, 'jsonb is no body');
is(answer(q{SELECT doc->>'body' @~ '{foo}'::acautomaton FROM (SELECT '{"body": "a foo"}'::jsonb AS doc) AS d}),
	't', 'with ->> it is');
like(complaint(q{SELECT body @~ ARRAY['a', 'b'] FROM logs}),
	qr/operator does not exist: text @~ text\[\]/, 'an array is no rule set');
is(answer(q{SELECT count(*) FROM logs WHERE body @~ ARRAY['e 10', 'b']::acautomaton}),
	'12', 'with a cast it is');
is(answer(q{SELECT 'Foo'::varchar(9) @~ '{Foo}'::acautomaton, 'Foo'::name @~ '{Foo}'::acautomaton}),
	't|t', 'varchar and name are bodies');

SKIP:
{
	skip 'citext is not installed', 1 unless available('citext');
	answer('CREATE EXTENSION citext');
	is(answer(q{SELECT 'Foo'::citext @~ '{foo}'::acautomaton, 'Foo'::citext @~ '{Foo}'::acautomaton,
					   'Foo'::citext @~ ac_build('{foo}', ignore_case => true)}),
		'f|t|t', 'citext bodies match case-sensitively, except with ignore_case');
}

# ---- publications ----

SKIP:
{
	skip 'publications have row filters since PostgreSQL 15', 1 if major_version() < 15;
	like(complaint(q{CREATE PUBLICATION p FOR TABLE logs WHERE (body @~ '{a}'::acautomaton)}),
		qr/invalid publication WHERE expression/, 'a row filter refuses the operator');
}

# ---- foreign servers ----

SKIP:
{
	skip 'postgres_fdw is not installed', 4 unless available('postgres_fdw');
	my ($host, $port) = ($node->host, $node->port);
	answer(<<"SQL");
CREATE EXTENSION postgres_fdw;
CREATE SERVER other FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$host', port '$port', dbname 'postgres');
CREATE USER MAPPING FOR current_user SERVER other;
CREATE FOREIGN TABLE far_logs (id int, body text) SERVER other OPTIONS (table_name 'logs');
CREATE FOREIGN TABLE far_rules (automaton acautomaton) SERVER other OPTIONS (table_name 'rules');
SQL
	my $constant = q{SELECT id FROM far_logs WHERE body @~ '{"line 7"}'::acautomaton};
	my $join = 'SELECT id FROM far_logs, far_rules WHERE body @~ automaton';
	my @here = map { answer("SELECT count(*), sum(id) FROM ($_) AS q") } $constant, $join;

	unlike(answer("EXPLAIN (VERBOSE) $constant"), qr/Remote SQL:.*@~/,
		'postgres_fdw does not send the operator');
	answer(q{ALTER SERVER other OPTIONS (extensions 'ac')});
	like(answer("EXPLAIN (VERBOSE) $constant"), qr/Remote SQL:.*WHERE.*@~/,
		q{with extensions 'ac' it does});
	like(answer("EXPLAIN (VERBOSE) $join"), qr/Remote SQL:.*JOIN.*@~/, 'also in a join');
	is_deeply([ map { answer("SELECT count(*), sum(id) FROM ($_) AS q") } $constant, $join ],
		\@here, 'and the answers are the same');
}

$node->stop;
done_testing();
