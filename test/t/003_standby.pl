# 003_standby.pl: a streaming standby answers as its primary does, also after
# the rules have changed under its cache.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use AcTest;

my $primary = new_node('primary', allows_streaming => 1);
$primary->start;
fill($primary, 'postgres');
$primary->backup('base');

my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->start;

sub catch_up
{
	$primary->wait_for_catchup($standby, 'replay', $primary->lsn('write'));
	return;
}

catch_up();
is(answers($standby, 'postgres'), answers($primary, 'postgres'), 'the standby answers the same');

# One session on the standby sees the change between two of its queries.
my $body = q{'a ' || md5('1') || ' ' || md5('5000')};
my $query = "SELECT ac_ids(automaton, $body) FROM rules WHERE name = 'big';\n";
my ($in, $out) = ('', '');
my $session = IPC::Run::start(
	[ 'psql', '-XAtq', '-d', $standby->connstr('postgres'), '-f', '-' ],
	'<', \$in, '>', \$out, IPC::Run::timeout(60));

sub ask
{
	($in, $out) = ("$query\\echo done\n", '');
	$session->pump until $out =~ /done\n/;
	return $out =~ s/\ndone\n//r;
}

is(ask(), '{3}', 'before the change');
is(ask(), '{3}', 'again, from the cache');
$primary->safe_psql('postgres', q{
	UPDATE rules SET automaton = ac_add(automaton, ARRAY[md5('5000')]) WHERE name = 'big'});
catch_up();
is(ask(), '{3,9001}', 'after the change');
$primary->safe_psql('postgres', q{
	UPDATE rules SET automaton = ac_remove(automaton, ARRAY[md5('1')]) WHERE name = 'big'});
$primary->safe_psql('postgres', 'VACUUM FULL rules');
catch_up();
is(ask(), '{9001}', 'after another and VACUUM FULL');
$in = "\\q\n";
$session->finish;

# After a promotion as well.
$primary->stop;
$standby->promote;
is($standby->safe_psql('postgres', q{
		UPDATE rules SET automaton = ac_add(automaton, '{zzz}') WHERE name = 'plain'
		RETURNING automaton::text}),
	'{he,she,his,hers,zzz}', 'promoted, it builds');
$standby->stop;
done_testing();
