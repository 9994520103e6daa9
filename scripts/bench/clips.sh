#!/bin/bash
# clips.sh DIR makes the clips that bench.sh plays, unless they are there: bench-1080p.mp4 (H.264, 8 bit,
# 20 s, 30 fps), the same three times over as bench-1080p-60s.mp4, and bench-2160p10.mp4 (HEVC, 10 bit,
# 5 s). Patterns in motion with fresh noise in each frame, since a still picture costs a decoder next to
# nothing. About 50 MB together.
set -eu
dir=${1:?usage: clips.sh DIR}
mkdir -p "$dir"
part=$dir/.clip.$$.mp4 # of this process: another may be making the same clip
trap 'rm -f "$part"' EXIT
make_clip() { # NAME SIZE SECONDS ENCODER-OPTIONS…
	local out=$dir/$1 size=$2 seconds=$3
	shift 3
	[ -s "$out" ] && return
	echo "making $out" >&2
	ffmpeg -hide_banner -loglevel error -y -f lavfi \
		-i "testsrc2=size=$size:rate=30:duration=$seconds,scroll=horizontal=0.004:vertical=0.003,noise=alls=14:allf=t" \
		-an "$@" -movflags +faststart "$part"
	mv "$part" "$out"
}
make_clip bench-1080p.mp4 1920x1080 20 -pix_fmt yuv420p -c:v libx264 -preset veryfast -bf 2 -b:v 4500k -maxrate 6M -bufsize 6M
make_clip bench-2160p10.mp4 3840x2160 5 -pix_fmt yuv420p10le -c:v libx265 -preset ultrafast -b:v 6M -x265-params log-level=error
long=$dir/bench-1080p-60s.mp4
[ -s "$long" ] || { ffmpeg -nostdin -v error -y -stream_loop 2 -i "$dir/bench-1080p.mp4" -c copy "$part" && mv "$part" "$long"; }
