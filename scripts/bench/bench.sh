#!/bin/bash
# bench.sh OUTDIR measures pinring against the ffmpeg program in pairs that take turns (A B A B …), and
# writes OUTDIR/bench.csv (one line per run) and OUTDIR/bench.md (the table of docs/performance.md).
# It needs bash, ffmpeg, the program and the clips of clips.sh; nothing else, so that it runs on a
# machine with a GPU that cannot build. From the environment:
#
#	PINRING    the program (bin/pinring)
#	CLIPS      folder of the clips (made there when missing)
#	PAIRS      pairs per row (5), after one that is not counted
#	THREADS    decoder threads of both programs (auto: each chooses; both take cores + 1)
#	DEVICE     cpu or cuda (cuda where nvidia-smi finds a card)
#	ROWS       a pattern of rows to run (.)
#	BARE_LOOP  a command that makes the copies and the kernel of the ring path in a bare loop and
#	           prints its frames per second as a number on its last line
set -u
export LC_ALL=C
here=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:?usage: bench.sh OUTDIR}
PINRING=${PINRING:-$here/bin/pinring} CLIPS=${CLIPS:-$out} PAIRS=${PAIRS:-5} THREADS=${THREADS:-auto} ROWS=${ROWS:-.}
if [ -z "${DEVICE:-}" ]; then DEVICE=cpu; nvidia-smi -L >/dev/null 2>&1 && DEVICE=cuda; fi
mkdir -p "$out"
"$here/scripts/bench/clips.sh" "$CLIPS" || exit 1
clip=$CLIPS/bench-1080p.mp4 deep=$CLIPS/bench-2160p10.mp4
csv=$out/bench.csv table=$out/bench.md
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
echo "row,pair,program,wall_s,cpu_s,peak_kib,fps" >"$csv"

# measure PROGRAM-NAME COMMAND… runs it once: wall and CPU seconds, peak of resident memory in KiB (polled:
# the kernel's own high-water mark, so only growth in the last 20 ms can be missed), frames per second.
measure() {
	local name=$1 peak=0 kib pid
	shift
	TIMEFORMAT='%R %U %S'
	{ time { "$@" </dev/null >"$temporary/stdout" 2>"$temporary/stderr" & pid=$!
		if [ "$row" = memory ]; then
			while kib=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status" 2>/dev/null) && [ -n "$kib" ]; do peak=$kib; sleep 0.02; done
		fi
		wait "$pid"; echo "$? $peak" >"$temporary/status"; }; } 2>"$temporary/time"
	local wall user system status
	read -r wall user system <"$temporary/time"
	read -r status peak <"$temporary/status"
	if [ "$status" != 0 ]; then
		echo "bench: row $row: exit $status from: $*" >&2
		tail -n 3 "$temporary/stderr" >&2
		return 1
	fi
	local cpu fps=
	cpu=$(awk "BEGIN { print $user + $system }")
	case $name in
	bare) fps=$(tail -n 1 "$temporary/stdout" | grep -oE '[0-9.]+' | tail -n 1) ;;
	*) fps=$(sed -n 's/^  "fps": \([0-9.]*\).*/\1/p' "$temporary/stdout") ;;
	esac
	result=$wall,$cpu,$peak,$fps
}

# compare ROW TARGET MEASURE 'A' 'B': A is pinring. MEASURE: wall (ratio = B's seconds / A's), memory
# (A's peak / B's), fps (A's / B's), first (A's seconds; there the target is a limit).
compare() {
	row=$1
	[[ $row =~ $ROWS ]] || return 0
	local target=$2 kind=$3 a b result pair
	eval "a=($4) b=($5)"
	echo "$row" >&2
	local names=(pinring ffmpeg)
	[[ $5 == *'$PINRING'* ]] && names=(pinring other)
	[ -n "${BARE_LOOP:-}" ] && [[ $5 == "$BARE_LOOP" ]] && names=(pinring bare)
	for pair in $(seq 0 "$PAIRS"); do
		measure "${names[0]}" "${a[@]}" || return 0
		[ "$pair" = 0 ] || echo "$row,$pair,${names[0]},$result" >>"$csv"
		measure "${names[1]}" "${b[@]}" || return 0
		[ "$pair" = 0 ] || echo "$row,$pair,${names[1]},$result" >>"$csv"
	done
	summary "$kind" "$target" >>"$table"
}

# summary turns a row's lines of the CSV into a line of the table: medians, the pairs' ratios.
summary() {
	awk -F, -v row="$row" -v kind="$1" -v target="$2" '
	function sorted(v, n,   i, j, t) { for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j] < v[j-1]; j--) { t = v[j]; v[j] = v[j-1]; v[j-1] = t } }
	function median(v, n) { sorted(v, n); return n % 2 ? v[(n+1)/2] : (v[n/2] + v[n/2+1]) / 2 }
	$1 == row { n = $2; x = kind == "memory" ? $6/1024 : kind == "fps" ? $7 : $4
		if ($3 == "pinring") { a[n] = x; ca[n] = $5 } else { b[n] = x; cb[n] = $5 } }
	END { for (i = 1; i <= n; i++) {
			r[i] = kind == "wall" ? b[i]/a[i] : kind == "first" ? a[i] : a[i]/b[i]; c[i] = cb[i] / (ca[i] > 0 ? ca[i] : 1) }
		unit = kind == "memory" ? "MiB" : kind == "fps" ? "fps" : "s"
		m = median(r, n); lo = r[1]; hi = r[n]
		printf "| %s | %s | %.4g %s | %.4g %s | **%.3f** | %.3f to %.3f | %.3f |\n", row, target, median(a, n), unit, median(b, n), unit, m, lo, hi, median(c, n) }' "$csv"
}

header() {
	{
		echo "$("$PINRING" version 2>/dev/null | head -n 1); $(ffmpeg -version | head -n 1 | cut -d' ' -f1-3); $(nproc) cores of $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)$([ "$DEVICE" = cuda ] && echo "; $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)"); load at the start $(cut -d' ' -f1 /proc/loadavg); $PAIRS pairs; $(date -u +%F)"
		echo
		echo "| row | target | pinring, median | other, median | ratio, median of pairs | least to most | other's CPU seconds / pinring's |"
		echo "|---|---|---|---|---|---|---|"
	} >"$table"
}

threads=() ffthreads=()
[ "$THREADS" = auto ] || { threads=(--decoder-threads "$THREADS"); ffthreads=(-threads "$THREADS"); }
run="\$PINRING run -q --device $DEVICE ${threads[*]:-}"
ff="ffmpeg -nostdin -v error ${ffthreads[*]:-} -i \$clip -map 0:v"
ffdeep="ffmpeg -nostdin -v error ${ffthreads[*]:-} -i \$deep -map 0:v"
sharp=scale=1280:720,unsharp,eq=contrast=1.1:brightness=0.02:saturation=1.2
x264="-c:v libx264 -preset veryfast -crf 23"
mem="\$PINRING run -q --json - --device $DEVICE --source memory --frames 3000 -f format=rgb24"

header
compare decode '>= 0.97' wall "$run \$clip" "$ff -f null -"
compare decode-4k10 '' wall "$run \$deep" "$ffdeep -f null -"
compare scale "$([ "$DEVICE" = cpu ] && echo '>= 1.1')" wall "$run \$clip -f scale=1280:720" "$ff -vf scale=1280:720 -f null -"
compare scale+unsharp+eq "$([ "$DEVICE" = cpu ] && echo '>= 1.5' || echo '>= 2')" wall "$run \$clip -f $sharp" "$ff -vf $sharp -f null -"
compare rgb24 '' wall "$run \$clip -f format=rgb24" "$ff -vf format=rgb24 -f null -"
compare scale-4k10 '' wall "$run \$deep -f scale=1920:1080" "$ffdeep -vf scale=1920:1080 -f null -"
compare scale+x264 '>= 1.0' wall "$run \$clip -y --no-audio -f scale=1280:720 --vcodec libx264 --preset veryfast --crf 23 -o $temporary/a.mp4" \
	"$ff -y -vf scale=1280:720 $x264 $temporary/b.mp4"
compare memory '<= 1.2' memory "$run \$clip" "$ff -f null -"
compare first-frame "$([ "$DEVICE" = cpu ] && echo '<= 0.15 s')" first "$run --frames 1 \$clip -f scale=1280:720" "$ff -frames:v 1 -vf scale=1280:720 -f null -"
if [ "$DEVICE" = cuda ]; then
	compare gpu-scale-against-decode '>= 0.97' wall "$run \$clip -f scale=1280:720" "$ff -f null -"
	compare gpu-scale-against-scale_cuda '>= 1.15' wall "$run \$clip -f scale=1280:720" \
		"ffmpeg -nostdin -v error ${ffthreads[*]:-} -init_hw_device cuda=c -filter_hw_device c -i \$clip -map 0:v -vf hwupload_cuda,scale_cuda=1280:720,hwdownload,format=yuv420p -f null -"
	compare reuse-against-churn '>= 20' fps "$mem \$clip" "$mem --staging churn --churn both --guard off \$clip"
	compare guard-on-against-off '>= 0.98' fps "$mem --guard on \$clip" "$mem --guard off \$clip"
	[ -n "${BARE_LOOP:-}" ] && compare ring-against-bare-loop '>= 0.95' fps "$mem \$clip" "$BARE_LOOP"
fi
cat "$table"
