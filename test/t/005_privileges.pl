# 005_privileges.pl: an ordinary user installs and uses the extension; objects of
# the same names in front of the search path change nothing; row security
# comes before our functions.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use AcTest;

my $node = new_node('main');
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE ROLE owner LOGIN;
CREATE ROLE reader LOGIN;
CREATE DATABASE shop OWNER owner;
SQL

# ---- install and use as the owner of a database, no superuser ----

$node->safe_psql('shop', 'CREATE EXTENSION ac', extra_params => [ '-U', 'owner' ]);
is($node->safe_psql('shop', q{
		CREATE TABLE rules AS SELECT ac_build('{he,she}') AS automaton;
		SELECT ac_count(automaton, 'ushers') FROM rules},
		extra_params => [ '-U', 'owner' ]),
	'2', 'the owner of a database installs and uses it');
is($node->safe_psql('shop', q{
		SET ac.cache_size = '1MB';
		SELECT ac_ids('{he,she}', 'ushers');
		SHOW ac.cache_size},
		extra_params => [ '-U', 'reader' ]),
	"{1,2}\n1MB", 'anybody uses it and sets ac.cache_size');
my ($status, $out, $err) = $node->psql('shop', 'DROP EXTENSION ac', extra_params => [ '-U', 'reader' ]);
like($err, qr/must be owner/, 'others cannot drop it');

# ---- shadows of built-in objects, in front of everything ----

my $shadows = <<'SQL';
CREATE SCHEMA evil;
CREATE FUNCTION evil.boom() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE 'shadow called'; END $$;
CREATE FUNCTION evil.length(text) RETURNS int LANGUAGE sql AS 'SELECT evil.boom()';
CREATE FUNCTION evil.matchingsel(internal, oid, internal, int) RETURNS float8 LANGUAGE internal AS 'eqsel';
CREATE FUNCTION evil.eq(text, text) RETURNS bool LANGUAGE sql AS 'SELECT evil.boom() = 1';
CREATE OPERATOR evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.eq);
CREATE DOMAIN evil.bytea AS text;
CREATE DOMAIN evil.int8 AS text;
SQL
$node->safe_psql('postgres', 'CREATE DATABASE shadowed');
$node->safe_psql('shadowed', $shadows);
$node->safe_psql('shadowed', 'SET search_path = evil, pg_catalog; CREATE EXTENSION ac SCHEMA evil');
$node->safe_psql('postgres', 'CREATE DATABASE plain');
$node->safe_psql('plain', 'CREATE SCHEMA evil; CREATE EXTENSION ac SCHEMA evil');
my $catalog = <<'SQL';
SET search_path = pg_catalog;
SELECT pg_describe_object(classid, objid, 0), p.prosrc, o.oprcode, o.oprrest, o.oprjoin
FROM pg_depend AS d JOIN pg_extension AS e ON refclassid = 'pg_extension'::regclass AND refobjid = e.oid
LEFT JOIN pg_proc AS p ON classid = 'pg_proc'::regclass AND objid = p.oid
LEFT JOIN pg_operator AS o ON classid = 'pg_operator'::regclass AND objid = o.oid
WHERE extname = 'ac' AND d.deptype = 'e' ORDER BY 1;
SQL
is($node->safe_psql('shadowed', $catalog), $node->safe_psql('plain', $catalog),
	'shadows change nothing that is installed');
is($node->safe_psql('shadowed', q{
		SET search_path = evil, pg_catalog;
		SELECT ac_found(ac_build('{he,she}'), 'ushers'), 'ushers' @~ '{he}'::acautomaton,
			   ac_highlight('{he}', 'she'), ac_union('{a}', '{b}'), ac_dot('{a}') IS NOT NULL}),
	'{he,she}|t|s<b>he</b>|[ids={1,1}]{a,b}|t', 'nor what the functions do');

# ---- row security ----

$node->safe_psql('shop', <<'SQL');
CREATE TABLE documents (owner name, body text, kind text);
INSERT INTO documents VALUES ('reader', 'ushers', 'all'), ('owner', 'she', 'no such kind');
ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON documents USING (owner = current_user);
GRANT SELECT ON documents TO reader;
CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM documents WHERE kind = 'all';
GRANT SELECT ON barrier TO reader;
SQL
# A hidden row would raise an error if a function saw it.
is($node->safe_psql('shop', q{SELECT body FROM documents WHERE ac_count('{he}', body, kind) > 0},
		extra_params => [ '-U', 'reader' ]),
	'ushers', 'a policy comes before our functions');
is($node->safe_psql('shop', q{SELECT body FROM barrier WHERE ac_count('{he}', body, kind) > 0},
		extra_params => [ '-U', 'reader' ]),
	'ushers', 'and so does a security barrier');
($status, $out, $err) = $node->psql('shop', q{SELECT body FROM documents WHERE ac_count('{he}', body, kind) > 0});
like($err, qr/no such kind/, 'without a policy the row would be seen');

$node->stop;
done_testing();
