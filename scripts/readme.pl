#!/usr/bin/perl
# readme.pl [--update] README.md: runs the SQL blocks of the README and compares
# what they print.  --update writes what they print into the README instead.
#
# A block fenced as "sql" is run by psql.  Where a block fenced as "text" follows
# it with nothing but blank lines between, psql must have printed exactly that
# (blanks at the ends of lines aside); where none follows, there must be no
# error.  "<!-- not run -->" on the line before a fence leaves a block out.
#
# Each "##" section is a database of its own, and each "###" below "## Recipes"
# too, so that a reader can paste a section alone.  The extension is created
# beforehand unless the section does it itself.
#
# Ends with "N passed, N failed".
use strict;
use warnings;

my $update = @ARGV && $ARGV[0] eq '--update' && shift;
my $file = shift or die "usage: $0 [--update] README.md\n";
my @sections = read_sections($file);
my ($passed, $failed) = (0, 0);

my $n = 0;
for my $section (@sections)
{
	next unless @{ $section->{blocks} };
	run_section($section, 'ac_readme_' . ++$n);
}
check_reference($file);
update($file) if $update;
print "$passed passed, $failed failed\n";
exit($failed || !$passed ? 1 : 0);

# The sections of the file: { title, blocks => [ { line, sql, expected } ] }.
sub read_sections
{
	my ($name) = @_;
	my @found = ({ title => 'Introduction', blocks => [] });
	my ($fence, $body, $start, $skip, $recipes, $last) = (undef, '', 0, 0, 0, undef);

	open(my $in, '<', $name) or die "$name: $!\n";
	while (my $line = <$in>)
	{
		if (defined $fence)
		{
			if ($line =~ /^```\s*$/)
			{
				if ($fence eq 'sql' && !$skip)
				{
					$last = { line => $start, sql => $body };
					push @{ $found[-1]{blocks} }, $last;
				}
				else
				{
					@$last{ 'expected', 'from', 'to' } = ($body, $start, $. - 1)
					  if $fence eq 'text' && $last;
					$last = undef;
				}
				($fence, $skip) = (undef, 0);
			}
			else { $body .= $line; }
		}
		elsif ($line =~ /^```(\w*)/) { ($fence, $body, $start) = ($1, '', $. + 1); }
		elsif ($line =~ /^##(#?) (.*)/)
		{
			$recipes = $2 eq 'Recipes' if !$1;
			push @found, { title => $2, blocks => [] } if !$1 || $recipes;
			$last = undef;
		}
		elsif ($line =~ /<!-- not run -->/) { $skip = 1; }
		elsif ($line =~ /\S/) { $last = undef; }
	}
	return @found;
}

# Runs the blocks of a section in one psql session and judges each.
sub run_section
{
	my ($section, $database) = @_;
	my @blocks = @{ $section->{blocks} };
	my $script = "\\pset pager off\n\\set QUIET on\nSET client_min_messages = warning;\n"
	  . "SET timezone = 'UTC';\n";

	$script .= "CREATE EXTENSION ac;\n"
	  unless grep { $_->{sql} =~ /CREATE EXTENSION (IF NOT EXISTS )?ac\b/ } @blocks;
	for my $i (0 .. $#blocks)
	{
		$script .= "\\echo \@\@ $i\n$blocks[$i]{sql}\n;\n";
	}
	system('createdb', '-T', 'template0', $database) == 0 or die "createdb failed\n";
	my @output = split /^\@\@ \d+\n/m, psql($database, $script);
	system('dropdb', $database);

	my $setup = shift @output;
	$blocks[$_]{got} = $output[$_] for 0 .. $#blocks;
	judge("$section->{title}, set-up", undef, $setup);
	judge("$section->{title}, line $blocks[$_]{line}", $blocks[$_]{expected},
		$output[$_] // 'no output: psql ended early')
	  for 0 .. $#blocks;
}

sub psql
{
	my ($database, $script) = @_;
	my $name = "/tmp/ac-readme-$$.sql";

	open(my $out, '>', $name) or die "$name: $!\n";
	print $out $script;
	close $out;
	my $result = `psql -X -d $database <$name 2>&1`;
	unlink $name;
	return $result;
}

# One block: what it printed against what it should have.
sub judge
{
	my ($what, $expected, $got) = @_;
	my $good = defined $expected ? tidy($expected) eq tidy($got) : $got !~ /^(ERROR|FATAL|psql):/m;

	if ($good)
	{
		# The set-up of a section is not a test.
		$passed++ unless $what =~ /set-up$/;
		print "ok - $what\n" unless $what =~ /set-up$/;
		return;
	}
	$failed++;
	print "not ok - $what\n";
	print defined $expected ? "  expected:\n" . indent($expected) : '', "  printed:\n", indent($got);
}

# Every object that a user can name has a row in the reference: functions with
# their arguments (body without a type where both do), operators and casts with
# their operands, the type, settings.
sub check_reference
{
	my ($name) = @_;
	my $text = do { local (@ARGV, $/) = $name; <> };
	my $list = psql('postgres', <<'SQL');
\pset tuples_only on
\pset format unaligned
BEGIN;
CREATE EXTENSION ac;
CREATE TEMP VIEW members AS
	SELECT classid, objid FROM pg_depend AS d JOIN pg_extension AS e ON refclassid = 'pg_extension'::regclass AND refobjid = e.oid
	WHERE extname = 'ac';
SELECT DISTINCT proname || '(' ||
	coalesce((SELECT string_agg(CASE WHEN proargnames[n] = 'body' AND twice THEN 'body'
								ELSE proargnames[n] || ' ' || format_type(proargtypes[n - 1], NULL) END ||
								coalesce(' DEFAULT ' || regexp_replace(pg_get_function_arg_default(p.oid, n), '::[a-z]+(\[\])?$', ''), ''),
								', ' ORDER BY n)
			  FROM generate_series(1, pronargs) AS n), '') || ')'
FROM pg_proc AS p JOIN members ON classid = 'pg_proc'::regclass AND objid = p.oid,
	LATERAL (SELECT count(*) = 2 AS twice FROM pg_proc AS other WHERE other.proname = p.proname) AS o
WHERE proname !~ '^acautomaton_|fn$|support$|^ac_contained$';
SELECT format('%s %s %s', oprleft::regtype, oprname, oprright::regtype)
FROM pg_operator AS o JOIN members ON classid = 'pg_operator'::regclass AND objid = o.oid;
SELECT format('%s::%s', castsource::regtype, casttarget::regtype)
FROM pg_cast AS c JOIN members ON classid = 'pg_cast'::regclass AND objid = c.oid;
SELECT typname FROM pg_type AS t JOIN members ON classid = 'pg_type'::regclass AND objid = t.oid WHERE typcategory <> 'A';
SELECT name FROM pg_settings WHERE name LIKE 'ac.%';
ROLLBACK;
SQL
	my @objects = grep { /^ac|acautomaton/ } split /\n/, $list;

	die "no objects: $list\n" unless @objects > 30;
	for my $object (@objects)
	{
		judge("reference of $object", undef,
			$text =~ /^\|[^|]*`\Q$object\E`/m ? '' : "ERROR: no table row for $object\n");
	}
	return;
}

# Puts what was printed where it was expected.
sub update
{
	my ($name) = @_;
	open(my $in, '<', $name) or die "$name: $!\n";
	my @lines = <$in>;
	close $in;

	for my $block (reverse map { @{ $_->{blocks} } } @sections)
	{
		next unless defined $block->{from} && defined $block->{got};
		splice @lines, $block->{from} - 1, $block->{to} - $block->{from} + 1, tidy($block->{got}) . "\n";
	}
	open(my $out, '>', $name) or die "$name: $!\n";
	print $out @lines;
	close $out;
	return;
}

sub tidy
{
	my ($text) = @_;
	$text =~ s/[ \t]+$//mg;
	$text =~ s/^\n+|\n+$//g;
	return $text;
}

sub indent
{
	my ($text) = @_;
	$text =~ s/^/    /mg;
	return "$text\n";
}
