# 010_bounds.pl: rule sets and texts as large as can be: an answer or an error,
# within the memory that the README states.
#
# By default each case is a twentieth of its size; with AC_TEST_LONG=1 it is:
# two million patterns, one of 100 MB, one that fills the text form, a million
# copies, a text of 900 MB.  That takes some minutes and 6 GB.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use AcTest;

my $part = $ENV{AC_TEST_LONG} ? 1 : 20;
my $mb = 1024 * 1024;
my $node = new_node('main');
$node->append_conf('postgresql.conf', "shared_buffers = 16MB\nmax_parallel_workers_per_gather = 0\njit = off\n");
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ac;
CREATE TABLE rules (automaton acautomaton);
CREATE FUNCTION peak(OUT bytes bigint) LANGUAGE sql AS $$
	SELECT 1024 * (regexp_match(pg_read_file('/proc/self/status', 0, 10000), 'VmHWM:\s+(\d+)'))[1]::bigint
$$;
SQL

# Runs a query in a session of its own: its answer, and the memory it took.
sub measured
{
	my ($query) = @_;
	my ($status, $out, $err) = $node->psql('postgres', <<"SQL");
SELECT ac_contains('{a}', 'b'), bytes FROM peak() \\gset
\\set VERBOSITY sqlstate
$query;
SELECT bytes - :bytes FROM peak();
SQL
	my @lines = split /\n/, $out;
	my $bytes = pop @lines;
	return (join("\n", @lines) . ($err =~ /ERROR:  (\w+)/ ? $1 : ''), $bytes);
}

# Building may take 12 bytes for each of the patterns and 100 for each pattern,
# where the array that they come in counts as well.
sub builds
{
	my ($name, $patterns, $bytes, $query) = @_;
	my ($answer, $took) = measured("INSERT INTO rules $query");
	is($answer, '', "$name: built");
	cmp_ok($took, '<', 12 * $bytes + 100 * $patterns + 8 * $mb,
		sprintf('%s: with %.1f bytes for each of %d', $name, $took / $bytes, $bytes));
	return;
}

# What a set of so many states finds; the first use may take 64 bytes a state.
sub finds
{
	my ($name, $states, $query, $found) = @_;
	my ($answer, $took) = measured("SELECT $query FROM rules");
	is($answer, $found, "$name: used");
	cmp_ok($took, '<', 64 * $states + 40 * $mb, sprintf('%s: with %.1f bytes for each of %d states', $name, $took / $states, $states));
	$node->safe_psql('postgres', 'TRUNCATE rules');
	return;
}

my $n = 2_000_000 / $part;
builds('many patterns', $n, 32 * $n, "SELECT ac_agg(md5(i::text)) FROM generate_series(1, $n) AS i");
finds('many patterns', 28 * $n, q{ac_ids(automaton, md5('7') || md5('77') || md5('x'))}, '{7,77}');

$n = 100_000_000 / $part;
builds('one long pattern', 1, $n, "SELECT ac_build(ARRAY[repeat('abcdefghij', $n / 10)])");
# so much text that it pays to derive tables
finds('one long pattern', $n, "(ac_info(automaton)).states, ac_count(automaton, repeat('abcdefghij', $n / 10 + 1))", ($n + 1) . '|2');

builds('long shared prefixes', 1000, 2_000_000,
	q{SELECT ac_agg(repeat('x', 1900) || to_char(i, 'FM0000') || repeat('y', 96)) FROM generate_series(1, 1000) AS i});
finds('long shared prefixes', 100_000, q{ac_ids(automaton, repeat('x', 5000) || '0007' || repeat('y', 1000))}, '{7}');

$n = 1_000_000 / $part;
builds('copies', $n, 11 * $n, "SELECT ac_build(array_fill('one pattern'::text, ARRAY[$n]))");
finds('copies', 12, q{cardinality(ac_ids(automaton, 'one pattern')), ac_count(automaton, 'one pattern')}, "$n|1");

# the text form is limited to 511 MB, its braces included
$n = 511 * $mb / $part;
if ($part == 1)
{
	my ($answer, $took) = measured("SELECT ac_build(ARRAY[repeat('x', $n - 1)]) IS NULL");
	is($answer, '54000', 'a longer text form: refused');
	cmp_ok($took, '<', 3 * $n, 'and early');
	($answer, $took) = measured("SELECT ac_build(ARRAY[repeat('x', $n - 2)]) IS NULL");
	like($answer, qr/^(f|53200)$/, "the longest text form: $answer");
}

# a text of 900 MB: it stands twice, as it comes and folded into a constant
$n = 900_000_000 / $part;
for my $kind ('all', 'leftmost-longest')
{
	my ($answer, $took) = measured("SELECT ac_count('{foo,xab,abx}', repeat('ab', $n / 2) || 'x', '$kind')");
	is($answer, '1', "a long text, $kind");
	cmp_ok($took, '<', 4 * $n + 8 * $mb, sprintf('a long text, %s: with %.1f bytes for each of %d', $kind, $took / $n, $n));
}

unlike(slurp_file($node->logfile), qr/terminated by signal|PANIC/, 'no session crashed');
$node->stop;
done_testing();
