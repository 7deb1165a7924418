# plots.gp: gnuplot draws size.svg, count.svg and texts.svg from plot/*.dat in
# the current directory.
set terminal svg size 860,520 font "sans-serif,13" background "white" dynamic
set grid linecolor rgb "#dddddd"
set border 3
set tics nomirror out
# a colour for each of up to twelve series; ours are warm
set linetype 1 linecolor rgb "#c1121f"
set linetype 2 linecolor rgb "#f4a261"
set linetype 3 linecolor rgb "#e76f51"
set linetype 4 linecolor rgb "#e9c46a"
set linetype 5 linecolor rgb "#1d3557"
set linetype 6 linecolor rgb "#457b9d"
set linetype 7 linecolor rgb "#2a9d8f"
set linetype 8 linecolor rgb "#6a994e"
set linetype 9 linecolor rgb "#8d99ae"
set linetype 10 linecolor rgb "#000000"
set linetype 11 linecolor rgb "#7b2cbf"
set linetype 12 linecolor rgb "#a98467"
set linetype cycle 12

set output "size.svg"
set title "Size against speed: all matches in log lines, record by record"
set xlabel "bytes a state that matching needs (logarithmic)"
set ylabel "MB/s (logarithmic)"
set logscale xy
set key outside right
set xrange [1:10000]
set yrange [1:10000]
plot for [s in "list crs dict"] "plot/size.dat" \
		using (strcol(1) eq s ? $3 : 1/0):4 with points pointsize 1.1 \
		pointtype (s eq "list" ? 7 : s eq "crs" ? 5 : 9) \
		linecolor (s eq "list" ? 1 : s eq "crs" ? 5 : 7) title s, \
	"plot/size.dat" using (strcol(1) eq "crs" ? $3 : 1/0):4:2 \
		with labels left offset 0.8,0.3 rotate by 12 font ",10" notitle

set output "count.svg"
set title "Speed against the number of patterns: all matches in log lines"
set xlabel "patterns of crs"
set ylabel "MB/s"
set logscale xy
set autoscale xy
blocks = system("grep -c '^#' plot/count.dat") + 0
plot for [i=0:blocks-1] "plot/count.dat" index i using 1:2 \
	with linespoints linewidth 2 pointtype 7 pointsize 0.5 \
	title system(sprintf("grep '^#' plot/count.dat | sed -n '%dp' | cut -f2 | tr -d '\"'", i + 1))

set output "texts.svg"
set title "Speed against the kind of text: crs, all matches, record by record"
set xlabel ""
set ylabel "MB/s (logarithmic)"
unset logscale x
set logscale y
set style data histogram
set style histogram clustered gap 1
set style fill solid 0.9 noborder
columns = system("head -n 1 plot/texts.dat | awk -F'\\t' '{print NF}'") + 0
set datafile separator "\t"
plot for [i=2:columns] "plot/texts.dat" using i:xtic(1) title columnheader(i)
