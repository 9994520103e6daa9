#!/bin/sh
# Makes samples/sample.mp4: 30 seconds of 1080p at 30 frames per second with sound, from FFmpeg's
# synthetic sources alone. Everything in it is computed; nothing is anybody's footage.
#
#   a slow colour gradient          smooth areas, where banding and wrong ranges show
#   a test card on a winding path   sharp edges, motion, and a counter of seconds
#   a tone with a beep each second  to hear that sound and picture stay together
#
# B-frames, several references and an open choice of types make the decoder keep many pictures, as
# real files do. One thread and bit-exact flags make the result the same on every machine with the
# same FFmpeg and x264.
set -eu

out=${1:-$(dirname "$0")/../samples/sample.mp4}
seconds=30

ffmpeg -v error -nostdin -y -threads 1 -filter_threads 1 \
	-f lavfi -i "gradients=size=1920x1080:rate=30:seed=11:speed=0.0015:nb_colors=4:c0=0x1b3a6b:c1=0x2aa198:c2=0xd9b26f:c3=0x8c4a6e:x0=0:y0=0:x1=1919:y1=1079" \
	-f lavfi -i "testsrc=size=480x360:rate=30" \
	-f lavfi -i "sine=frequency=220:beep_factor=4:sample_rate=48000" \
	-filter_complex "[0:v]format=yuv420p[sky];[1:v]format=yuv420p[card];
		[sky][card]overlay=x='(W-w)*(0.5+0.45*sin(t*0.9))':y='(H-h)*(0.5+0.45*sin(t*1.3))':format=yuv420,
		setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709,setsar=1[v]" \
	-map "[v]" -map 2:a -t "$seconds" \
	-c:v libx264 -threads 1 -preset slow -crf 39 -bf 3 -refs 4 -g 300 -flags:v +bitexact \
	-x264-params "colorprim=bt709:transfer=bt709:colormatrix=bt709:range=tv" \
	-c:a aac -b:a 24k -ac 1 -flags:a +bitexact \
	-map_metadata -1 -fflags +bitexact -movflags +faststart -f mp4 "$out"

bytes=$(wc -c <"$out")
if [ "$bytes" -ge 1000000 ]; then
	echo "make-sample: $out is $bytes bytes, which is too large to keep in the repository" >&2
	exit 1
fi
echo "make-sample: $out, $bytes bytes"
