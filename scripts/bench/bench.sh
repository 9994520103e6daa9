#!/bin/bash
# bench.sh OUTDIR measures pinring against the ffmpeg program in pairs that take turns (A B A B …), and
# writes OUTDIR/bench.csv (one line per run) and OUTDIR/bench.md (the table of docs/performance.md); on a
# GPU also OUTDIR/bench.json, what `pinring bench` says of the card.
# It needs bash, ffmpeg, the program and the clips of clips.sh; nothing else, so that it runs on a
# machine with a GPU that cannot build. From the environment:
#
#	PINRING    the program (bin/pinring)
#	CLIPS      folder of the clips (made there when missing)
#	PAIRS      pairs per row (5), after one that is not counted
#	THREADS    decoder threads of both programs in the rows of the GPU (16; auto: each chooses, both take cores + 1);
#	           in those of the CPU each chooses
#	DEVICE     cpu or cuda: with cuda, the default where nvidia-smi finds a card, the rows of the GPU come first
#	ROWS       a pattern of rows to run (.)
#	CONTEXT    a command that creates a CUDA context and ends (context.c, made with cc)
set -u
export LC_ALL=C
here=$(cd "$(dirname "$0")/../.." && pwd)
refuse() { echo "bench.sh: $1" >&2; exit 2; }
case ${1:-} in ''|-*) refuse "usage: [PAIRS=5] [ROWS=PATTERN] … bench.sh OUTDIR; the settings stand at the top of the script" ;; esac
out=$1
PINRING=${PINRING:-$here/bin/pinring} CLIPS=${CLIPS:-$out} PAIRS=${PAIRS:-5} THREADS=${THREADS:-16} ROWS=${ROWS:-.}
if [ -z "${DEVICE:-}" ]; then DEVICE=cpu; nvidia-smi -L >/dev/null 2>&1 && DEVICE=cuda; fi
. "$here/scripts/bench/checks.sh"
"$here/scripts/bench/clips.sh" "$CLIPS" || exit 1
clip=$CLIPS/bench-1080p.mp4 long=$CLIPS/bench-1080p-60s.mp4 deep=$CLIPS/bench-2160p10.mp4
csv=$out/bench.csv table=$out/bench.md ring=$out/bench.json
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
trap 'kill $(jobs -p) 2>/dev/null; wait; echo "| cut off | | | | | | |" >>"$table"; exit 143' TERM HUP
ran=0 failed=0
. "$here/scripts/bench/pairs.sh"

header() {
	echo "row,pair,program,wall_s,cpu_s,peak_kib,fps" >"$csv"
	{
		echo "$("$PINRING" version 2>/dev/null | head -n 1); $(ffmpeg -version | head -n 1 | cut -d' ' -f1-3); $(nproc) cores of $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)$([ "$DEVICE" = cuda ] && echo "; $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)")$([ "$DEVICE" = cuda ] && echo "; decoder threads $THREADS in the rows of the GPU"); load at the start $(cut -d' ' -f1 /proc/loadavg); $PAIRS pairs; $(date -u +%F)"
		echo
		echo "| row | target | pinring, median | other, median | ratio, median of pairs | least to most | other's CPU seconds / pinring's |"
		echo "|---|---|---|---|---|---|---|"
	} >"$table"
}

# programs sets the beginnings of the command lines: programs DEVICE THREADS.
programs() {
	local threads='' ffthreads=''
	[ "$2" = auto ] || { threads="--decoder-threads $2"; ffthreads="-threads $2"; }
	run="\$PINRING run -q --device $1 $threads"
	ffmpeg="ffmpeg -nostdin -v error $ffthreads"
	ff="$ffmpeg -i \$clip -map 0:v" fflong="$ffmpeg -i \$long -map 0:v" ffdeep="$ffmpeg -i \$deep -map 0:v"
}
sharp=scale=1280:720,unsharp,eq=contrast=1.1:brightness=0.02:saturation=1.2
full=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp # what pinring's format=rgb24 always does
x264="-c:v libx264 -preset veryfast -crf 23"

# gpu_rows are for a card: the long clip, since a context takes as long to create as 400 frames to decode. The
# first row is the program as people run it, which begins on the CPU; the second one waits for the card, as
# the others do; the third one does without, to tell what the card is for.
gpu_rows() {
	programs "$DEVICE" "$THREADS"
	local auto=${run/--device $DEVICE/--device auto}
	compare gpu-scale-against-decode '>= 0.97' wall "$auto \$long -f scale=1280:720" "$fflong -f null -"
	compare gpu-scale-against-decode-waiting '' wall "$run \$long -f scale=1280:720" "$fflong -f null -"
	compare cpu-scale-against-decode '' wall "${run/--device $DEVICE/--device cpu} \$long -f scale=1280:720" "$fflong -f null -"
	compare gpu-scale-against-scale_cuda '>= 1.15' wall "$run \$long -f scale=1280:720" \
		"$ffmpeg -init_hw_device cuda=c -filter_hw_device c -i \$long -map 0:v -vf hwupload_cuda,scale_cuda=1280:720,hwdownload,format=yuv420p -f null -"
	compare gpu-scale+unsharp+eq '>= 2' wall "$run \$long -f $sharp" "$fflong -vf $sharp -f null -"
	if [[ ring-against-bare-loop =~ $ROWS || reuse-against-churn =~ $ROWS ]]; then
		rm -f "$ring"
		"$PINRING" bench -q --device "$DEVICE" --json "$ring"
		spread_row ring-against-bare-loop '>= 0.95' bare_fps share_of_bare
		spread_row reuse-against-churn '>= 20' churn_fps over_churn
	fi
	local memory="\$PINRING run -q --json - --device $DEVICE --source memory --frames 6000 -f format=rgb24"
	compare guard-on-against-off '>= 0.98' fps "$memory --guard on \$clip" "$memory --guard off \$clip"
	[ -n "${CONTEXT:-}" ] || { CONTEXT=$temporary/context; cc -O2 -o "$CONTEXT" "$here/scripts/bench/context.c" -ldl; }
	compare first-frame-over-context '<= 0.1 s' over "$run --frames 1 \$clip -f scale=1280:720" "$CONTEXT"
}

cpu_rows() {
	programs cpu auto
	compare decode '>= 0.97' wall "$run \$clip" "$ff -f null -"
	compare scale '>= 1.1' wall "$run \$clip -f scale=1280:720" "$ff -vf scale=1280:720 -f null -"
	compare scale+unsharp+eq '>= 1.5' wall "$run \$clip -f $sharp" "$ff -vf $sharp -f null -"
	compare scale+x264 '>= 1.0' wall "$run \$clip -y --no-audio -f scale=1280:720 --vcodec libx264 --preset veryfast --crf 23 -o $temporary/a.mp4" \
		"$ff -y -vf scale=1280:720 $x264 $temporary/b.mp4"
	compare x264 '>= 1.0' wall "$run \$clip -y --no-audio --vcodec libx264 --preset veryfast --crf 23 -o $temporary/a.mp4" "$ff -y $x264 $temporary/b.mp4"
	compare memory '<= 1.2' memory "$run \$clip" "$ff -f null -"
	compare first-frame '<= 0.15 s' first "$run --frames 1 \$clip -f scale=1280:720" "$ff -frames:v 1 -vf scale=1280:720 -f null -"
	compare rgb24 '' wall "$run \$clip -f format=rgb24" "$ff -vf format=rgb24 -f null -"
	compare rgb24-full-chroma '' wall "$run \$clip -f format=rgb24" "$ff -vf scale=flags=$full,format=rgb24 -f null -"
	compare decode-4k10 '' wall "$run \$deep" "$ffdeep -f null -"
	compare scale-4k10 '' wall "$run \$deep -f scale=1920:1080" "$ffdeep -vf scale=1920:1080 -f null -"
}

header
[ "$DEVICE" = cpu ] || gpu_rows
cpu_rows
cat "$table"
[ $ran -gt 0 ] || refuse "no row's name matches ROWS=$ROWS"
[ $failed = 0 ] || { echo "bench.sh: $failed of $ran rows could not be measured" >&2; exit 1; }
