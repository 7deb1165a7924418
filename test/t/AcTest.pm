# AcTest.pm: rule sets of every kind, and how to compare them.
#
# A table "rules (name, automaton)" holds one value of every option and shape,
# from the empty set to one that is stored out of line, and "bodies" some texts
# to match them against.
package AcTest;

use strict;
use warnings;
use Exporter 'import';
our @EXPORT = qw(major_version new_node fill answers);

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

# The major version of the programs in a directory, or on the PATH.
sub major_version
{
	my ($bin) = @_;
	my $version = defined $bin ? `$bin/postgres -V` : `postgres -V`;
	return $version =~ /\) (\d+)/ ? $1 : die "no version: $version\n";
}

# A UTF-8 cluster of the C locale, ready to start.
sub new_node
{
	my ($name, %options) = @_;
	my @initdb = ('--encoding=UTF8', '--no-locale', @{ delete $options{initdb} // [] });
	my $node = PostgreSQL::Test::Cluster->new($name);

	# From 18 on, pages have checksums unless told otherwise.
	push @initdb, '--no-data-checksums' if major_version() >= 18;
	$node->init(extra => \@initdb, %options);
	$node->append_conf('postgresql.conf', "fsync = off\nautovacuum = off\n");
	return $node;
}

sub fill
{
	my ($node, $database) = @_;
	$node->safe_psql($database, <<'SQL');
CREATE EXTENSION ac;
CREATE TABLE rules (name text PRIMARY KEY, automaton acautomaton);
INSERT INTO rules VALUES
	('empty', ac_build('{}')),
	('null', NULL),
	('one', ac_build('{a}')),
	('plain', ac_build('{he,she,his,hers}')),
	('duplicates', ac_build('{he,she,he}')),
	('ids', ac_build('{he,she,he}', '{7,-9223372036854775808,9223372036854775807}')),
	('strange', ac_build(ARRAY['NULL', '"', '\', '{}', ',', ' ', E'\n', E'\t', '$1', '\\x00', 'ids={1}', ']{'])),
	('unicode', ac_build('{ß,naïve,Ж,日本語,😀}')),
	('ignore_case', ac_build('{Straße,KELVIN,ΣΊΣΥΦΟΣ}', ignore_case => true)),
	('whole_words', ac_build('{cat,foo bar}', '{3,3}', whole_words => true)),
	('both', ac_build('{Cat,DOG}', ignore_case => true, whole_words => true)),
	('bytes', ac_build_bytea('{"\\x00","\\x00ff","\\xe6"}')),
	('bytes, ids', ac_build_bytea('{"\\x4142"}', '{5}', ignore_case => true));
INSERT INTO rules SELECT 'big', ac_agg(md5(i::text), i * 3 ORDER BY i) FROM generate_series(1, 3000) AS i;
CREATE TABLE bodies (body text);
INSERT INTO bodies VALUES (''), ('ushers say hers'), ('Cat, cats and a DOG'), (E'a "\\{}",\n\t'),
	('STRASSE Straße ſtraße'), ('日本語 naïve Ж 😀'), ('foo bar'), (md5('77') || md5('2999') || md5('x'));
SQL
	return;
}

# What every rule set says of every body, and how it prints.
sub answers
{
	my ($node, $database) = @_;
	return $node->safe_psql($database, <<'SQL');
SELECT name, md5(automaton::text), (SELECT to_jsonb(i) - 'image_bytes' FROM ac_info(automaton) AS i) FROM rules ORDER BY name;
SELECT name, body, f.* FROM rules, bodies, ac_find(automaton, body) AS f
WHERE name NOT LIKE 'bytes%' ORDER BY name, body, f.pos, f.len, f.id;
SELECT name, body, ac_ids(automaton, convert_to(body, 'UTF8')) FROM rules, bodies
WHERE name LIKE 'bytes%' ORDER BY name, body;
SQL
}

1;
