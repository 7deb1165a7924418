#!/usr/bin/perl
# report.pl DIRECTORY: makes RESULTS.md and the data of the plots (plot/*.dat)
# out of the measurements in DIRECTORY:
#
#	core.tsv	as bench_core writes it
#	sql.tsv		as sql.sh writes it; optional
#	about.tsv	what about the machine and the versions, a name and a text a line
use strict;
use warnings;

my ($dir) = @ARGV;
my (%time, %found, %build, %image, %seen, @peers, @sets, @growing, %records, @calls);
my $out = '';

sub note
{
	my ($list, $name) = @_;

	push @$list, $name unless $seen{"$list $name"}++;
}

open(my $core, '<', "$dir/core.tsv") or die "could not read core.tsv: $!\n";
while (<$core>)
{
	chomp;
	my ($what, $set, $text, $mode, $peer, $min, $middle, @more) = split /\t/;

	note(\@peers, $peer);
	note($set =~ /^crs:/ ? \@growing : \@sets, $set);
	if ($what eq 'build') { $build{$set}{$peer} = [ $min, $middle, @more ]; }
	elsif ($what eq 'image') { $image{$set}{$peer} = [ $min, $middle, @more ]; }
	else
	{
		$time{$what}{$mode}{$set}{$text}{$peer} = [ $min, $middle, $more[0] ];
		$found{$what}{$set}{$text} = $more[1] if $mode eq 'records';
		$records{$text} = $more[2] if $mode eq 'records';
		push @calls, $more[3] if $peer =~ /^ac\b/ && defined $more[3];
	}
}

my (%sql, @sql);
if (open(my $file, '<', "$dir/sql.tsv"))
{
	while (<$file>)
	{
		chomp;
		my ($name, $min, $middle, $rows, $query) = split /\t/;

		push @sql, $name;
		$sql{$name} = [ $min, $middle, $rows, $query ];
	}
}

# ---- figures ----

# Megabytes a second, nanoseconds a byte, or undef.
sub speed
{
	my ($what, $mode, $set, $text, $peer) = @_;
	my $t = $time{$what}{$mode}{$set}{$text}{$peer} or return undef;

	return $t->[2] / $t->[0] / 1e6;
}

# The smallest ratio of two peers' speeds over some sets and texts, and where.
sub least
{
	my ($what, $ours, $theirs, $sets, $texts) = @_;
	my ($least, $where);

	for my $set (@$sets)
	{
		for my $text (@$texts)
		{
			my $a = speed($what, 'records', $set, $text, $ours);
			my $b = speed($what, 'records', $set, $text, $theirs);

			next unless $a && $b;
			($least, $where) = ($a / $b, "$set over $text") if !defined $least || $a / $b < $least;
		}
	}
	return ($least, $where);
}

sub all_ratios
{
	my ($what, $ours, $theirs, $sets, $texts) = @_;

	return join ', ', map {
		my $set = $_;
		map {
			my $a = speed($what, 'records', $set, $_, $ours);
			my $b = speed($what, 'records', $set, $_, $theirs);
			$a && $b ? sprintf('%s/%s %.2f', $set, $_, $a / $b) : ();
		} @$texts
	} @$sets;
}

sub table
{
	my ($head, @rows) = @_;

	$out .= '| ' . join(' | ', @$head) . " |\n";
	$out .= '|' . join('|', map { $_ ? '---:' : '---' } 0 .. $#$head) . "|\n";
	$out .= '| ' . join(' | ', map { $_ // '–' } @$_) . " |\n" for @rows;
	$out .= "\n";
}

sub number
{
	my ($value, $format) = @_;

	return undef unless defined $value;
	my $text = sprintf($format // ($value < 10 ? '%.2f' : $value < 100 ? '%.1f' : '%.0f'), $value);
	1 while $text =~ s/^(\d+)(\d{3})/$1,$2/;
	return $text;
}

# ---- goals ----

my @musts;

sub must
{
	my ($what, $value, $bound, $unit, $detail) = @_;
	my ($sign, $limit) = $bound =~ /^(<=|>=) ([\d.]+)$/;
	my $ok = !defined $value ? '–' : ($sign eq '<=' ? $value <= $limit : $value >= $limit) ? 'yes' : '**no**';

	$sign = $sign eq '<=' ? '≤' : '≥';
	push @musts, [ $what, defined $value ? number($value) . $unit : undef,
		"$sign " . number($limit, '%s') . $unit, $ok, $detail ];
}

sub musts
{
	my @lines = qw(log access);
	my %limit = (list => 71085, crs => 129974, dict => 1309566);
	my ($value, $where);

	for my $set (qw(list crs dict))
	{
		my $i = $image{$set}{ac} or next;
		must("image of $set", $i->[2], "<= $limit{$set}", ' bytes',
			sprintf('%.2f a state, words %s bytes', $i->[2] / $i->[3], number($i->[4])));
	}
	must('building list', ms($build{list}{ac}), '<= 5', ' ms', against('list'));
	must('building dict', ms($build{dict}{ac}), '<= 70', ' ms', against('dict'));
	if (my $million = $build{paths}{ac})
	{
		must('building a million patterns, to 100,000', $million->[0] / $build{paths100k}{ac}[0],
			'<= 12', ' times', sprintf('%.2f s', $million->[0]));
		must('peak memory of it, to the bytes of the patterns', $million->[3] / $image{paths}{ac}[4],
			'<= 10', ' times', sprintf('%.0f MB of patterns', $image{paths}{ac}[4] / 1e6));
	}
	for my $set (qw(list crs dict paths))
	{
		my $i = $image{$set}{ac} or next;
		must("verifying $set", $i->[2] / $i->[0] / 1e6, '>= 300', ' MB/s', sprintf('%.3f ms', 1e3 * $i->[0]));
	}
	my %load = (list => 3, crs => 5, dict => 60);
	must("loading $_", 1e3 * $image{$_}{ac}[1], "<= $load{$_}", ' ms', 'verify, open, accelerate')
	  for grep { $image{$_}{ac} } qw(list crs dict);
	for my $set (qw(list crs))
	{
		($value) = least('all', 'ac', 'Hyperscan', [$set], \@lines);
		must("all matches, $set, records, to Hyperscan", $value, '>= 1', ' times',
			all_ratios('all', 'ac', 'Hyperscan', [$set], [ @lines, 'prose' ]));
	}
	$value = undef;
	for my $theirs ('Hyperscan', 'Hyperscan single-match')
	{
		my ($ratio) = least('any', 'ac', $theirs, ['eight'], \@lines);
		$value = $ratio if defined $ratio && (!defined $value || $ratio < $value);
	}
	must('is-match, 8 patterns, records, to Hyperscan', $value, '>= 1', ' times',
		all_ratios('any', 'ac', 'Hyperscan', ['eight'], [ @lines, 'prose' ])
		  . '; single-match '
		  . all_ratios('any', 'ac', 'Hyperscan single-match', ['eight'], [ @lines, 'prose' ]));
	($value) = least('all', 'ac', 'Hyperscan', ['dict'], [ @lines, 'prose', 'dense', 'line' ]);
	must('all matches, dict, records, to Hyperscan', $value, '>= 5', ' times',
		all_ratios('all', 'ac', 'Hyperscan', ['dict'], [ @lines, 'prose', 'dense', 'line' ]));
	for my $set (qw(list crs dict paths))
	{
		my @texts = $set eq 'paths' ? 'dense' : (@lines, 'prose', 'dense');
		($value) = least('all', 'ac, scalar', 'Rust contiguous', [$set], \@texts);
		must("all matches, $set, scalar build, to Rust's contiguous NFA", $value, '>= 1.5', ' times',
			all_ratios('all', 'ac, scalar', 'Rust contiguous', [$set], \@texts));
	}
	adversarial();
}

sub ms { return $_[0] ? 1e3 * $_[0][0] : undef; }

sub against
{
	my ($set) = @_;
	my $rust = ms($build{$set}{'Rust contiguous'});
	my $hyperscan = ms($build{$set}{Hyperscan});

	return join ', ', ($rust ? sprintf("Rust's contiguous NFA %.1f ms", $rust) : ()),
	  ($hyperscan ? sprintf('Hyperscan %.0f ms', $hyperscan) : ());
}

# Nanoseconds a byte of the slowest text beside the plain automaton's on random
# bytes, for each set that has such texts.
sub adversarial
{
	my ($plain) = map { 1e3 / $_ } grep { $_ } speed('all', 'records', 'crs', 'random', 'ac, no filter');
	my ($worst, $where, @all) = (0);

	for (['list', 'nearly'], ['list', 'pieces'], ['crs', 'nearly'], ['crs', 'pieces'],
		['a^n b', 'same'], ['fibonacci', 'fibonacci'])
	{
		my $speed = speed('all', 'records', @$_, 'ac') or next;
		my $ns = 1e3 / $speed;

		push @all, sprintf('%s/%s %.2f', @$_, $ns);
		($worst, $where) = ($ns, "@$_") if $ns > $worst;
	}
	must('slowest adversarial text, to the plain automaton on random text', $plain && $worst / $plain,
		'<= 4', ' times', sprintf('ns a byte: %s; plain %.2f', join(', ', @all), $plain)) if $plain;
	my $powers = $time{all}{records}{'a^1 .. a^n'}{same}{ac} or return;
	my $matches = $found{all}{'a^1 .. a^n'}{same};
	push @musts, [ 'a^1 … a^64 over aaaa…', sprintf('%.2f ns a match', 1e9 * $powers->[0] / $matches),
		'', '', number($matches) . ' matches' ];
}

sub sql_musts
{
	for ([ 'crs', 1.5 ], [ 'eight', 1.0 ], [ 'one', 1.0 ])
	{
		my ($set, $limit) = @$_;
		must("SQL: body @~ $set, to one strpos", sql_ratio("contains $set", 'strpos'), "<= $limit", ' times', sql_ms("contains $set", 'strpos'));
	}
	for (qw(external lz4))
	{
		must("SQL: ac_count over 100 kB documents, $_, to a function with memchr",
			sql_ratio("documents $_ ac_count", "documents $_ memchr"), '<= 2.5', ' times',
			sql_ms("documents $_ ac_count", "documents $_ memchr"));
	}
	must('SQL: rows of ac_matches in the SELECT list, to the @~ scan', sql_ratio('matches select', 'contains crs'),
		'<= 1.3', ' times', sql_ms('matches select', 'contains crs'));
	must('SQL: rows of ac_matches in FROM behind @~, to the @~ scan', sql_ratio('matches where', 'contains crs'),
		'<= 1.3', ' times', sql_ms('matches where', 'contains crs'));
	must('SQL: ac_matches in FROM alone, beyond the @~ scan', 
		$sql{'matches from'} && 1e6 * ($sql{'matches from'}[0] - $sql{'contains crs'}[0]) / $sql{'bare'}[2],
		'<= 170', ' ns a row', sql_ms('matches from', 'empty from', 'contains crs'));
}

sub sql_ratio { return $sql{ $_[0] } && $sql{ $_[1] } ? $sql{ $_[0] }[0] / $sql{ $_[1] }[0] : undef; }
sub sql_ms { return join ', ', map { $sql{$_} ? "$_ " . number($sql{$_}[0]) . ' ms' : () } @_; }

# ---- the report ----

sub about
{
	$out .= "# Benchmark of ac\n\n";
	open(my $file, '<', "$dir/about.tsv") or return;
	while (<$file>)
	{
		chomp;
		$out .= sprintf "- %s: %s\n", split /\t/;
	}
	$out .= "\nTimes are minima of processor time, runs interleaved between the peers of one\n"
	  . "process; every peer found the same matches at the same positions.\n\n";
}

sub sizes
{
	for my $set (grep { $build{$_} && /^(list|crs|dict|paths)/ } @sets)
	{
		my @rows;

		for my $peer (grep { $build{$set}{$_} } @peers)
		{
			my ($min, undef, $bytes, $peak, $calls) = @{ $build{$set}{$peer} };
			my $states = $image{$set}{ac}[3];

			push @rows, [ $peer, number($bytes), number($bytes / $states), number(1e3 * $min),
				number($peak / $image{$set}{ac}[4]), number($calls) ];
		}
		$out .= sprintf "### %s: %s bytes of patterns, %s states\n\n", $set,
		  number($image{$set}{ac}[4]), number($image{$set}{ac}[3]);
		table([ '', 'bytes for matching', 'a state', 'build, ms', 'peak memory, times the patterns', 'allocations' ], @rows);
	}
}

sub images
{
	table([ '', 'image, bytes', 'a state', 'verify, ms', 'MB/s', 'load, ms', 'derived when loaded, bytes' ],
		map {
			my ($verify, $load, $bytes, $states) = @{ $image{$_}{ac} };
			[ $_, number($bytes), number($bytes / $states), number(1e3 * $verify),
				number($bytes / $verify / 1e6), number(1e3 * $load), number($build{$_}{ac}[2] - $bytes) ]
		} grep { $image{$_}{ac} } @sets);
}

sub speeds
{
	my ($what, $mode, $title) = @_;

	$out .= "## $title\n\n";
	for my $set (@sets)
	{
		my @texts = grep { $time{$what}{$mode}{$set}{$_} } qw(log line access prose dense random nearly pieces same fibonacci) or next;
		my @rows;

		for my $peer (@peers)
		{
			my @row = map { number(speed($what, $mode, $set, $_, $peer)) } @texts;
			push @rows, [ $peer, @row ] if grep { defined } @row;
		}
		table([ "$set, MB/s", @texts ], @rows,
			[ 'matches', map { number($found{$what}{$set}{$_}, '%d') } @texts ]);
	}
}

# From the layouts one writes first to the image: bytes and speed a step.
sub ladder
{
	my @steps = grep { $build{list}{$_} } '256 pointers a node', 'trimmed, packed', 'ac in place', 'ac, no filter', 'ac, scalar', 'ac';

	table([ 'list over log, record by record', 'bytes', 'a state', 'MB/s', 'ns a record' ],
		map {
			my $speed = speed('all', 'records', 'list', 'log', $_);
			my $t = $time{all}{records}{list}{log}{$_};
			[ $_, number($build{list}{$_}[2]), number($build{list}{$_}[2] / $image{list}{ac}[3]),
				number($speed), $t && number(1e9 * $t->[0] / $records{log}) ]
		} @steps);
}

sub plots
{
	mkdir "$dir/plot";
	data('size', map { my $peer = $_; map {
		my $speed = speed('all', 'records', $_, 'log', $peer);
		$speed ? [ $_, $peer, $build{$_}{$peer}[2] / $image{$_}{ac}[3], $speed ] : ();
	} qw(list crs dict) } @peers);
	data('count', map { my $peer = $_; [ '#', $peer ], (map {
		my $speed = speed('all', 'records', $_, 'log', $peer);
		$speed ? [ s/crs://r, $speed ] : ();
	} @growing), [], [] } grep { speed('all', 'records', $growing[-1] // '', 'log', $_) } @peers);
	my @texts = qw(log line access prose dense random nearly pieces);
	my @some = grep { speed('all', 'records', 'crs', 'log', $_) && !/pointers|noncontiguous/ } @peers;
	data('texts', [ 'text', @some ], map { my $text = $_;
		[ $text, map { speed('all', 'records', 'crs', $text, $_) // 0 } @some ] } @texts);
}

sub data
{
	my ($name, @rows) = @_;

	open(my $file, '>', "$dir/plot/$name.dat") or die "could not write plot/$name.dat: $!\n";
	print $file map { join("\t", map { /[^\w.#]/ ? "\"$_\"" : $_ } @$_) . "\n" } @rows;
}

sub sql_table
{
	return unless @sql;
	$out .= "## In SQL\n\n";
	table([ '', 'ms, min', 'median', 'ns a row', 'query' ],
		map { my ($min, $middle, $rows, $query) = @{ $sql{$_} };
			[ $_, number($min), number($middle), $rows ? number(1e6 * $min / $rows) : undef, "`$query`" ] } @sql);
}

# Building a trie with a node an allocation, inside the server.
sub allocation
{
	my %how = (malloc => 'malloc', aset => 'AllocSet context', generation => 'Generation context',
		slab => 'Slab context', array => 'one growing array');

	open(my $file, '<', "$dir/allocation.tsv") or return;
	$out .= "## The cost of allocation\n\nThe same trie of nodes with sibling lists, built inside the server.\n\n";
	table([ '', 'ms, min', 'MB' ], map {
		chomp;
		my ($set, $how, $ms, $bytes) = split /\t/;
		[ "$set, $how{$how}", number($ms), number($bytes / 1e6) ]
	} <$file>);
}

# Calls of malloc while our own matched, over all measurements.
sub allocations
{
	my $most = 0;

	for my $calls (@calls) { $most = $calls if $calls > $most; }
	push @musts, [ 'allocations a record while matching', $most, '0', $most == 0 ? 'yes' : '**no**',
		'most calls of malloc in any run over a text' ] if @calls;
}

about();
musts();
allocations();
sql_musts() if @sql;
$out .= "## Goals\n\n";
table([ '', 'here', 'goal', 'reached', 'in detail' ], @musts);
$out .= "## The ladder\n\n";
ladder();
$out .= "## Images\n\n";
images();
$out .= "## Size and building\n\n";
sizes();
speeds('all', 'records', 'All matches, record by record');
speeds('all', 'whole', 'All matches, the text at once');
speeds('any', 'records', 'Whether anything matches, record by record');
allocation();
sql_table();
plots();
open(my $file, '>', "$dir/RESULTS.md") or die "could not write RESULTS.md: $!\n";
print $file $out;
