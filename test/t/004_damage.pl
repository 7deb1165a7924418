# 004_damage.pl: stored values whose bytes have changed on disk raise XX001, and
# the session goes on.
#
# Every row of a table holds the same automaton out of line.  With the server
# stopped, one bit of each value is flipped in the file of the TOAST table, at
# another place in each row.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use AcTest;

my $rows = 120;
my $node = new_node('main');
$node->start;
$node->safe_psql('postgres', <<SQL);
CREATE EXTENSION ac;
CREATE TABLE damaged (n int PRIMARY KEY, automaton acautomaton);
INSERT INTO damaged
	SELECT n, automaton
	FROM generate_series(0, $rows - 1) AS n,
		 (SELECT ac_agg(md5(i::text), i * 7 ORDER BY i) AS automaton FROM generate_series(1, 1000) AS i) AS a;
CHECKPOINT;
SQL
my ($size, $file, $toast) = split /\|/, $node->safe_psql('postgres', <<'SQL');
SELECT (ac_info(automaton)).image_bytes,
	   pg_relation_filepath(reltoastrelid), reltoastrelid::regclass
FROM damaged, pg_class WHERE n = 0 AND oid = 'damaged'::regclass
SQL
my %row_of = map { reverse split /\|/ } split /\n/, $node->safe_psql('postgres', <<"SQL");
SELECT n, chunk_id FROM (
	SELECT row_number() OVER (ORDER BY chunk_id) - 1 AS n, chunk_id
	FROM $toast GROUP BY chunk_id) AS t
SQL
is(scalar(keys %row_of), $rows, 'every value is stored out of line');
my $good = $node->safe_psql('postgres', q{SELECT automaton::text FROM damaged WHERE n = 0});
$node->stop;

# Row 0 stays whole; row 1 becomes of a future format; the others get a flipped
# bit, the first ones in the header, the rest spread over the value.
sub offset_of
{
	my ($n) = @_;
	return $n <= 65 ? $n - 2 : int(64 + ($n - 65) * ($size - 65) / ($rows - 65));
}

my $changed = 0;
open(my $handle, '+<:raw', $node->data_dir . "/$file") or die "$file: $!\n";
for (my $page = 0; read($handle, my $bytes, 8192) == 8192; $page++)
{
	my ($lower) = unpack('x12 v', $bytes);
	for my $item (unpack('V*', substr($bytes, 24, $lower - 24)))
	{
		my ($offset, $flags) = ($item & 0x7fff, ($item >> 15) & 3);
		next if $flags != 1;
		my $data = $offset + unpack('C', substr($bytes, $offset + 22, 1));
		my ($chunk_id, $seq, $header) = unpack('V3', substr($bytes, $data, 12));
		my $n = $row_of{$chunk_id};
		next if !defined $n || $n == 0;
		# a chunk holds 1996 bytes of the value; the image starts at its first
		my $at = ($n == 1 ? 8 : offset_of($n)) - $seq * 1996;
		next if $at < 0 || $at >= ($header >> 2) - 4;
		my $byte = \substr($bytes, $data + 12 + $at, 1);
		$$byte = $n == 1 ? "\x63" : chr(ord($$byte) ^ (1 << $n % 8));
		$changed++;
	}
	seek($handle, $page * 8192, 0);
	print $handle $bytes;
	seek($handle, ($page + 1) * 8192, 0);
}
close $handle;
is($changed, $rows - 1, 'one byte of every value but the first has changed');

$node->start;
is($node->safe_psql('postgres', 'SELECT automaton::text FROM damaged WHERE n = 0'), $good, 'the whole one reads');

# Each use in one session; a plpgsql block notes the SQLSTATE.
$node->safe_psql('postgres', <<'SQL');
CREATE FUNCTION try(expression text, row_number int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answer text;
BEGIN
	EXECUTE format('SELECT (%s)::text FROM damaged WHERE n = %s', expression, row_number) INTO answer;
	RETURN 'answered';
EXCEPTION WHEN OTHERS THEN
	RETURN sqlstate;
END $$;
SQL
for my $use (
	q{ac_contains(automaton, 'x')}, q{'x' @~ automaton}, q{ac_count(automaton, md5('7'))},
	q{ac_ids(automaton, md5('7'))}, q{(SELECT count(*) FROM ac_find(automaton, md5('7')))},
	q{automaton}, q{automaton::text[]}, q{(SELECT count(*) FROM ac_patterns(automaton))},
	q{ac_replace(automaton, md5('7'), 'x')}, q{ac_add(automaton, '{x}')},
	q{ac_union(automaton, automaton)}, q{acautomaton_send(automaton)})
{
	my $result = $node->safe_psql('postgres', sprintf(<<'SQL', $use, $rows - 1));
SELECT pg_backend_pid() AS pid \gset
SELECT state, count(*) FROM (
	SELECT try($use$%s$use$, n) AS state FROM generate_series(2, %d) AS n) AS t
GROUP BY state ORDER BY state;
SELECT 'another session' WHERE pg_backend_pid() <> :pid;
SQL
	# Two bytes of the header are the format: other formats are not "damaged".
	like($result, qr/^(0A000\|2\n)?XX001\|\d+$/, "$use: damage is noticed");
	is($node->safe_psql('postgres', "SELECT try(\$use\$$use\$use\$, 1)"), '0A000', "$use: a future format");
}
my ($status, $out, $err) = $node->psql('postgres', q{SELECT ac_contains(automaton, 'x') FROM damaged WHERE n = 1});
like($err, qr/HINT/, 'an unknown format comes with a hint');
is($node->safe_psql('postgres', q{SELECT count(*) FROM damaged WHERE n = 0 AND md5('7') @~ automaton}), '1',
	'the server is up and the whole value still matches');
unlike(slurp_file($node->logfile), qr/terminated by signal|PANIC/, 'no backend crashed');
$node->stop;
done_testing();
