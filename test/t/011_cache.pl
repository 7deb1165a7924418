# 011_cache.pl: what another session does to the rules between two executions of
# a prepared statement, and a value id that is given again.
#
# One session runs all the time, and calls another one in between by \!.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use AcTest;

my $node = new_node('main');
# so few buffers that a page is soon read from disk again
$node->append_conf('postgresql.conf', "shared_buffers = 16\njit = off\nmax_parallel_workers_per_gather = 0\n");
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ac;
CREATE TABLE rules (name text PRIMARY KEY, automaton acautomaton);
CREATE FUNCTION rule_set(word text) RETURNS acautomaton LANGUAGE sql AS
	$$ SELECT ac_agg(word || i ORDER BY i) FROM generate_series(1, 2000) AS i $$;
INSERT INTO rules VALUES ('a', rule_set('delta')), ('b', rule_set('bravo'));
CREATE TABLE filler AS SELECT i, repeat('x', 1000) AS body FROM generate_series(1, 5000) AS i;
CREATE INDEX ON filler (i);
SQL

# ---- another session ----

my $other = 'psql -XAtq -d ' . "'" . $node->connstr('postgres') . "' -c";
$other =~ s/\\/\\\\/g;
my $out = $node->safe_psql('postgres', <<"SQL");
PREPARE ask AS SELECT ac_contains(automaton, 'delta7'), ac_contains(automaton, 'bravo7') FROM rules WHERE name = 'a';
EXECUTE ask;
EXECUTE ask;
\\! $other "UPDATE rules SET automaton = rule_set('bravo') WHERE name = 'a'"
EXECUTE ask;
\\! $other "BEGIN; UPDATE rules SET automaton = rule_set('delta') WHERE name = 'a'; ROLLBACK"
EXECUTE ask;
\\! $other "BEGIN; CREATE TABLE saved AS TABLE rules; TRUNCATE rules; INSERT INTO rules TABLE saved; DROP TABLE saved; UPDATE rules SET automaton = rule_set('delta') WHERE name = 'a'; COMMIT"
EXECUTE ask;
\\! $other "VACUUM FULL rules"
EXECUTE ask;
BEGIN ISOLATION LEVEL REPEATABLE READ;
EXECUTE ask;
\\! $other "UPDATE rules SET automaton = rule_set('bravo') WHERE name = 'a'"
EXECUTE ask;
COMMIT;
EXECUTE ask;
\\! $other "UPDATE rules SET automaton = rule_set('delta') WHERE name = 'a'"
EXECUTE ask;
SELECT misses, detoasts FROM ac_cache_stats();
SQL
my ($delta, $bravo) = ('t|f', 'f|t');
is($out, join("\n", $delta, $delta, $bravo, $bravo, $delta, $delta, $delta, $delta, $bravo, $delta, '5|5'),
	'a prepared statement goes by the rules that it sees, and fetches them once for each change');

# ---- the same pointer, another value ----

# What stands in the TOAST table for "a" gives way to what stands there for "b",
# as if the id had been given again after the counter had wrapped around.  Both
# words have five letters, so the values are of one size; "a" has the greater id
# since it was updated.
$node->safe_psql('postgres', 'VACUUM FULL rules; CHECKPOINT');
my ($file, $id_b, $id_a, $chunks) = split /\|/, $node->safe_psql('postgres', <<'SQL');
SELECT format('SELECT pg_relation_filepath(%s::regclass), min(chunk_id), max(chunk_id), count(*) / 2 FROM %s',
			  quote_literal(reltoastrelid::regclass), reltoastrelid::regclass)
FROM pg_class WHERE oid = 'rules'::regclass \gexec
SQL
my $exchange = PostgreSQL::Test::Utils::tempdir() . '/exchange.pl';
append_to_file($exchange, <<'PERL');
my ($path, $to, $from) = @ARGV;
my (%data, @places);
open(my $file, '+<:raw', $path) or die "$path: $!\n";
for (my $page = 0; read($file, my $bytes, 8192) == 8192; $page++)
{
	my ($lower) = unpack('x12 v', $bytes);
	for my $item (unpack('V*', substr($bytes, 24, $lower - 24)))
	{
		my $offset = $item & 0x7fff;
		next if (($item >> 15) & 3) != 1;
		my $data = $offset + unpack('C', substr($bytes, $offset + 22, 1));
		my ($id, $seq, $header) = unpack('V3', substr($bytes, $data, 12));
		my $length = ($header >> 2) - 4;
		$data{$seq} = substr($bytes, $data + 12, $length) if $id == $from;
		push @places, [ $seq, $page * 8192 + $data + 12, $length ] if $id == $to;
	}
}
for my $place (@places)
{
	my ($seq, $at, $length) = @$place;
	die "chunks of two sizes\n" if $length != length($data{$seq});
	seek($file, $at, 0);
	print $file $data{$seq};
}
close $file;
print scalar(@places), "\n";
PERL
my $path = $node->data_dir . "/$file";
$out = $node->safe_psql('postgres', <<"SQL");
PREPARE ask AS SELECT ac_contains(automaton, 'delta7'), ac_contains(automaton, 'bravo7') FROM rules WHERE name = 'a';
EXECUTE ask;
EXECUTE ask;
CHECKPOINT;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT count(DISTINCT body) FROM filler WHERE i > 0;
\\! $^X $exchange $path $id_a $id_b
EXECUTE ask;
EXECUTE ask;
SELECT hits, misses, detoasts FROM ac_cache_stats();
SELECT count(DISTINCT automaton::text) FROM rules;
SQL
is($out, join("\n", $delta, $delta, 1, $chunks, $bravo, $bravo, '6|2|2', 1),
	'a pointer with the same bytes to another value: the header tells');
$node->stop;
done_testing();
