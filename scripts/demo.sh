#!/bin/sh
# The demonstration: a file through the ring, the failure that the ring prevents, and both side by
# side. It leaves out/demo.mp4, out/demo.json and out/compare.html, and fails when a scene does not
# end as it should: running out of memory in the second one is what it is there for.
#
#	scripts/demo.sh [PINRING]
set -eu
pinring=${1:-bin/pinring}
input=samples/sample.mp4

# ends CODE COMMAND...: runs the command, and fails unless it ends with that exit code.
ends() {
	want=$1
	shift
	code=0
	"$@" || code=$?
	if [ "$code" -ne "$want" ]; then
		echo "demo: exit code $code, not $want: $*" >&2
		exit 1
	fi
}

scene() { printf '\n== %s\n' "$*"; }

mkdir -p out
rm -f out/demo.mp4 out/demo.json out/compare.html

scene "1 of 3: decode, scale, encode, through a ring of buffers that are never freed"
ends 0 "$pinring" run "$input" -o out/demo.mp4 --yes --filter scale=1280:720 --preset veryfast --json out/demo.json

scene "2 of 3: a buffer for each frame instead, on an emulated 8 GB card: out of memory, as it should be"
ends 4 "$pinring" run "$input" --staging churn --staging-format rgb24 --emulate article-video --guard off

scene "3 of 3: side by side, and what the guard does about it"
ends 0 "$pinring" compare "$input" --report out/compare.html

for made in out/demo.mp4 out/demo.json out/compare.html; do
	if [ ! -s "$made" ]; then
		echo "demo: $made was not made" >&2
		exit 1
	fi
done
printf '\nout/demo.mp4 is the video, out/compare.html the comparison as a page.\n'
