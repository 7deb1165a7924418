#!/usr/bin/perl
# data.pl OUT CRS-RULES LOG-DIRECTORY PROSE-DIRECTORY [WORDLIST]: writes the
# sets of patterns and the texts of the benchmark into the directory OUT.
#
#	sets/	one pattern a line, as the automaton gets them
#	  list		WORDLIST; without one, 2,358 patterns drawn from crs
#	  crs		the distinct non-comment lines of the .data files of CRS-RULES
#	  dict		/usr/share/dict/american-english
#	  eight, one	the first 8 and the first 1 of list
#	  paths		a million made-up paths, 62 bytes on average; paths100k of them
#	texts/	one record a line, about SIZE bytes each (environment)
#	  log		sample log lines of 74 to 250 bytes, 3 % made from attacks
#	  access	web access lines
#	  prose		English; made from dict when PROSE-DIRECTORY has none
#
# All choices come from a generator with a fixed seed, so that equal packages
# give equal files on every machine.
use strict;
use warnings;

my ($out, $rules, $logs, $prose, $list) = @ARGV;
my $size = $ENV{SIZE} || 1_500_000;
my $dict = '/usr/share/dict/american-english';

# A 31-bit linear congruential generator: perl's own rand may change.
my $seed = 20230707;

sub draw
{
	my ($below) = @_;

	$seed = ($seed * 1103515245 + 12345) & 0x7fffffff;
	return ($seed >> 8) % $below;
}

sub pick { return $_[0][draw(scalar @{ $_[0] })]; }

sub shuffled
{
	my @items = @_;

	for (my $i = @items; --$i > 0;)
	{
		my $j = draw($i + 1);
		@items[ $i, $j ] = @items[ $j, $i ];
	}
	return @items;
}

sub lines_of
{
	my ($file) = @_;

	open(my $in, '<:raw', $file) or die "could not open $file: $!\n";
	my @lines = map { s/\r?\n?$//r } <$in>;
	return @lines;
}

sub distinct
{
	my %seen;

	return grep { !$seen{$_}++ } @_;
}

sub save
{
	my ($name, @lines) = @_;

	open(my $file, '>:raw', "$out/$name") or die "could not write $out/$name: $!\n";
	print $file map { "$_\n" } @lines;
	close($file) or die "could not write $out/$name: $!\n";
}

# Calls a maker of lines until they fill a text.
sub text
{
	my ($name, $make) = @_;
	my (@lines, $bytes);

	for ($bytes = 0; $bytes < $size; $bytes += 1 + length $lines[-1])
	{
		push @lines, $make->(scalar @lines);
	}
	save("texts/$name", @lines);
}

# ---- sets ----

mkdir $out;
mkdir "$out/$_" for qw(sets texts);
my @crs = distinct(
	grep { /[^ \t]/ && !/^#/ } map { lines_of($_) } sort glob("$rules/*.data"));
my @words = grep { $_ ne '' } lines_of($dict);
my @list = $list ? grep { $_ ne '' } distinct(lines_of($list))
  : sort +(shuffled(grep { length($_) >= 4 && length($_) <= 84 } @crs))[ 0 .. 2357 ];
my @plain = grep { /^[a-z]{3,9}$/ } @words;

save('sets/crs', @crs);
save('sets/dict', @words);
save('sets/list', @list);
save('sets/eight', @list[ 0 .. 7 ]);
save('sets/one', $list[0]);

# Directories that many files share, deeper ones made of shallower ones.
sub paths
{
	my ($count) = @_;
	my @directories = map { "/$_" } qw(usr/share/doc usr/lib/python3 var/www/html
	  home/build opt usr/include srv/data usr/share/locale);
	my %seen;

	for (1 .. 30_000)
	{
		push @directories, pick(\@directories) . '/' . pick(\@plain)
		  . (draw(3) ? '' : '-' . pick(\@plain));
	}
	@directories = grep { length($_) > 30 && length($_) < 56 } @directories;
	while (keys %seen < $count)
	{
		my $name = pick(\@plain) . (draw(2) ? '_' . pick(\@plain) : '');
		$seen{ pick(\@directories) . "/$name" . pick([qw(.html .c .py .png .h)]) } = 1;
	}
	return sort keys %seen;
}

if (!$ENV{QUICK})
{
	my @paths = paths(1_000_000);

	save('sets/paths', @paths);
	save('sets/paths100k', @paths[ map { 10 * $_ } 0 .. 99_999 ]);
}

# ---- texts ----

my @samples = shuffled(
	grep { length($_) >= 74 && length($_) <= 250 && !/^#/ && !/[^\x20-\x7e]/ }
	map { lines_of($_) } grep { -f } sort glob("$logs/*"));
my $any = join '|', map { quotemeta } @crs;
@samples = grep { !/$any/ } @samples;		# so that 3 % match, no more
die "no log lines in $logs\n" unless @samples;
my @attack = (
	sub { qq(198.51.100.%d - - [07/Jul/2023:10:00:00 +0000] "GET /index.php?page=%s HTTP/1.1" 404 %d "-" "-") },
	sub { qq(203.0.113.%d - - [07/Jul/2023:10:00:01 +0000] "POST /search?q=%s HTTP/1.1" 200 %d "-" "-") });

text('log', sub {
	my ($i) = @_;

	return $samples[ $i % @samples ] if $i % 100 < 97;
	return sprintf($attack[ $i % 2 ]->(), draw(250), pick(\@crs), draw(9000));
});

my @agents = (
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36',
	'Mozilla/5.0 (X11; Linux x86_64; rv:102.0) Gecko/20100101 Firefox/102.0',
	'Mozilla/5.0 (iPhone; CPU iPhone OS 16_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.5 Mobile/15E148 Safari/604.1');

sub address
{
	return join '/', '', map { pick(\@plain) } 0 .. 1 + draw(3);
}

text('access', sub {
	my $at = sprintf '%02d/Jul/2023:%02d:%02d:%02d +0000', 1 + draw(28), draw(24), draw(60), draw(60);
	my $path = address() . pick([ '', '.html', '.css', '.png', '?page=' . draw(40) . '&sort=' . pick(\@plain) ]);
	my $from = draw(2) ? '-' : 'https://www.example.com' . address() . '.html';

	return sprintf '%d.%d.%d.%d - - [%s] "%s %s HTTP/1.1" %d %d "%s" "%s"',
	  1 + draw(220), draw(256), draw(256), draw(256), $at, draw(8) ? 'GET' : 'POST',
	  $path, pick([ 200, 200, 200, 304, 404 ]), draw(60000), $from, pick(\@agents);
});

my @prose = grep { /[a-z]/ && !/[^\x20-\x7e]/ }
  map { lines_of($_) } grep { -f && !/\.(dat|u8)$/ } sort glob("$prose/*");
if (@prose < 1000)
{
	@prose = map { join ' ', map { pick(\@plain) } 1 .. 12 } 1 .. 5000;
}
text('prose', sub { $prose[ $_[0] % @prose ] });
