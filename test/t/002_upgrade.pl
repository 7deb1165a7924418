# 002_upgrade.pl: a cluster with stored automata goes through pg_upgrade.
#
# AC_OLD_INSTALL names the directory of an older PostgreSQL (its bin and lib)
# with the extension installed; without it the cluster moves to a new one of the
# same version, which takes the same way.
use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use AcTest;

my $old_install = $ENV{AC_OLD_INSTALL};
my $old = PostgreSQL::Test::Cluster->new('old', $old_install ? (install_path => $old_install) : ());
my $new = new_node('new');
my @initdb = ('--encoding=UTF8', '--no-locale');
my $old_version = major_version($old_install ? "$old_install/bin" : undef);

push @initdb, '--no-data-checksums' if $old_version >= 18;
$old->init(extra => \@initdb);
$old->append_conf('postgresql.conf', "fsync = off\n");
$old->start;
fill($old, 'postgres');
my $answers = answers($old, 'postgres');
my $new_bin = `pg_config --bindir`;
chomp $new_bin;
my $old_bin = $old_install ? "$old_install/bin" : $new_bin;
$old->stop;

# pg_upgrade writes beside itself, up to PostgreSQL 14.
chdir $new->basedir or die "chdir: $!\n";
command_ok(
	[
		'pg_upgrade', '--old-bindir', $old_bin, '--new-bindir', $new_bin,
		'--old-datadir', $old->data_dir, '--new-datadir', $new->data_dir,
		'--old-port', $old->port, '--new-port', $new->port,
		'--socketdir', $new->host
	],
	"pg_upgrade from $old_version");

$new->start;
is(answers($new, 'postgres'), $answers, 'the same answers');
is($new->safe_psql('postgres',
		'SELECT count(*) FROM rules WHERE automaton <> automaton::text::acautomaton'),
	'0', 'a value that was carried over equals one built anew');
is($new->safe_psql('postgres', q{SELECT ac_add(automaton, '{x}')::text FROM rules WHERE name = 'plain'}),
	'{he,she,his,hers,x}', 'and can be changed');

# Between different versions, rules also travel by pg_dump, both ways.
if ($old_install)
{
	my $dump = $new->basedir . '/rules.sql';
	my $other = PostgreSQL::Test::Cluster->new('other', install_path => $old_install);
	my $texts = 'SELECT name, automaton::text FROM rules ORDER BY name';

	$other->init(extra => \@initdb);
	$other->start;
	$other->safe_psql('postgres', 'CREATE EXTENSION ac; CREATE TABLE rules (name text PRIMARY KEY, automaton acautomaton)');
	$new->command_ok([ 'pg_dump', '--data-only', '-t', 'rules', '-f', $dump, 'postgres' ], 'dumped from the new version');
	# Settings that the old version does not know are reported and passed over.
	$other->command_ok([ 'psql', '-Xq', '-d', 'postgres', '-f', $dump ], 'restored into the old one');
	is($other->safe_psql('postgres', $texts), $new->safe_psql('postgres', $texts), 'the same values, backwards');

	$new->safe_psql('postgres', 'CREATE DATABASE again');
	$other->command_ok([ 'pg_dump', '-t', 'rules', '-f', $dump, 'postgres' ], 'dumped from the old version');
	$new->safe_psql('again', 'CREATE EXTENSION ac');
	$new->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', 'again', '-f', $dump ], 'restored into the new one');
	is($new->safe_psql('again', $texts), $other->safe_psql('postgres', $texts), 'the same values, forwards');
	$other->stop;
}
$new->stop;
done_testing();
