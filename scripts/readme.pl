#!/usr/bin/perl
# readme.pl README.md: runs the SQL blocks of the README, compares what they print.
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

my $file = shift or die "usage: $0 README.md\n";
my @sections = read_sections($file);
my ($passed, $failed) = (0, 0);

my $n = 0;
for my $section (@sections)
{
	next unless @{ $section->{blocks} };
	run_section($section, 'ac_readme_' . ++$n);
}
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
					$last->{expected} = $body if $fence eq 'text' && $last;
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
