# 001_dump.pl: rule sets survive pg_dump and COPY in every format, unchanged.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use AcTest;

my $node = new_node('main');
$node->start;
$node->safe_psql('postgres', 'CREATE DATABASE original');
fill($node, 'original');

my $answers = answers($node, 'original');
my $values = 'SELECT name, automaton::text FROM rules ORDER BY name';
my $texts = $node->safe_psql('original', $values);
my $dir = $node->basedir;

for my $format ('plain', 'custom', 'directory', 'tar')
{
	my $file = "$dir/dump.$format";
	$node->safe_psql('postgres', "CREATE DATABASE copy_$format");
	$node->command_ok([ 'pg_dump', '-F', $format, '-f', $file, 'original' ], "$format: dumped");
	$node->command_ok(
		$format eq 'plain'
		? [ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', "copy_$format", '-f', $file ]
		: [ 'pg_restore', '--exit-on-error', '-d', "copy_$format", $file ],
		"$format: restored");
	is($node->safe_psql("copy_$format", $values), $texts, "$format: the same values");
	is(answers($node, "copy_$format"), $answers, "$format: the same answers");
}

# --inserts
$node->safe_psql('postgres', 'CREATE DATABASE copy_inserts');
$node->command_ok([ 'pg_dump', '--inserts', '-f', "$dir/inserts.sql", 'original' ], 'inserts: dumped');
$node->command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', 'copy_inserts', '-f', "$dir/inserts.sql" ],
	'inserts: restored');
is($node->safe_psql('copy_inserts', $values), $texts, 'inserts: the same values');

# COPY, there and back
for my $format ('text', 'csv', 'binary')
{
	$node->safe_psql('original', "COPY rules TO '$dir/rules.$format' (FORMAT $format)");
	$node->safe_psql('original', 'CREATE TABLE back (LIKE rules)');
	$node->safe_psql('original', "COPY back FROM '$dir/rules.$format' (FORMAT $format)");
	is($node->safe_psql('original',
			'SELECT count(*) FROM rules FULL JOIN back USING (name)
			 WHERE rules.automaton IS DISTINCT FROM back.automaton'),
		'0', "COPY $format: equal values");
	$node->safe_psql('original', 'DROP TABLE back');
}

# Every setting of bytea_output reads the same.
$node->safe_psql('original', <<'SQL');
SET bytea_output = escape;
CREATE TABLE escaped AS SELECT name, automaton::text::acautomaton AS automaton FROM rules;
SQL
is($node->safe_psql('original',
		'SELECT count(*) FROM rules JOIN escaped USING (name)
		 WHERE rules.automaton IS DISTINCT FROM escaped.automaton'),
	'0', 'bytea_output does not matter');

$node->stop;
done_testing();
