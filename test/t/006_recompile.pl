# 006_recompile.pl: the README's trigger that keeps a compiled set current loses
# no word when two sessions write at the same time.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use AcTest;

# The recipe as it stands in the README.
my $readme = slurp_file('README.md');
my ($recipe) = $readme =~ /^### Keeping a compiled set current\n.*?```sql\n(.*?)^INSERT INTO words/ms;
ok($recipe, 'the recipe was found');

my $node = new_node('main');
$node->start;
$node->safe_psql('postgres', "CREATE EXTENSION ac;\n$recipe");

my @sessions;
for my $n (0, 1)
{
	my %session = (in => '', out => '');
	$session{run} = IPC::Run::start(
		[ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-f', '-' ],
		'<', \$session{in}, '>', \$session{out}, IPC::Run::timeout(60));
	push @sessions, \%session;
}

sub send_to
{
	my ($session, $sql) = @_;
	($session->{in}, $session->{out}) = ("$sql;\n\\echo done\n", '');
	$session->{run}->pump while length $session->{in};
	return;
}

sub await
{
	my ($session) = @_;
	$session->{run}->pump until $session->{out} =~ /done\n/;
	return;
}

send_to($sessions[0], q{BEGIN; INSERT INTO words (pattern) VALUES ('first')});
await($sessions[0]);
send_to($sessions[1], q{INSERT INTO words (pattern) VALUES ('second')});
ok($node->poll_query_until('postgres', q{
		SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'}),
	'the second session waits for the first');
send_to($sessions[0], 'COMMIT');
await($sessions[0]);
await($sessions[1]);
is($node->safe_psql('postgres', 'SELECT automaton FROM rules'), '{first,second}', 'both words are there');
for my $session (@sessions)
{
	$session->{in} = "\\q\n";
	$session->{run}->finish;
}
$node->stop;
done_testing();
