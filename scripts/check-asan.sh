#!/bin/sh
# Builds the program with the address sanitizer and runs ten files through it, whole and spoilt: our own C
# code must not touch memory that is not its own, nor leak. FFmpeg's libraries are not instrumented; what
# they do with memory of ours is seen where malloc and free are called. Then the same with a fault planted
# into a copy of our code, which must be found.
#
#	scripts/check-asan.sh [FILE...]        without files ten small ones are made
set -eu
cd "$(dirname -- "$0")/.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export PINRING_CONFIG=/dev/null PINRING_DEVICE=cpu
# Go's own memory is no business of the sanitizer; a finding ends the program with 99.
export ASAN_OPTIONS=detect_leaks=1:exitcode=99:abort_on_error=0:allocator_may_return_null=1

build() { # build OUTPUT [FLAGS]
	output=$1
	shift
	CGO_CFLAGS="-g -O1 -fno-omit-frame-pointer -Wno-use-after-free" go build -asan "$@" -o "$output" ./cmd/pinring
}

make_files() {
	clip() { ffmpeg -v error -nostdin -y -f lavfi -i "testsrc2=s=160x120:r=25:d=1" -f lavfi -i sine=d=1 "$@"; }
	clip -c:v libx264 -pix_fmt yuv420p -bf 2 "$tmp/a.mp4"
	clip -c:v libx265 -x265-params log-level=none "$tmp/b.mkv"
	clip -c:v libvpx-vp9 -deadline realtime -cpu-used 8 "$tmp/c.webm"
	clip -c:v mpeg2video -bf 2 "$tmp/d.ts"
	clip -c:v mpeg4 -bf 2 "$tmp/e.avi"
	clip -c:v prores_ks "$tmp/f.mov"
	clip -c:v mjpeg "$tmp/g.avi"
	clip -c:v ffv1 "$tmp/h.mkv"
	for name in a.mp4 d.ts; do # spoilt: 2000 bytes in the middle
		cp "$tmp/$name" "$tmp/bad-$name"
		half=$(($(wc -c <"$tmp/$name") / 2))
		head -c 2000 /dev/zero | tr '\0' '\125' | dd of="$tmp/bad-$name" bs=1 seek=$half conv=notrunc status=none
	done
	set -- "$tmp"/*.mp4 "$tmp"/*.mkv "$tmp"/*.webm "$tmp"/*.ts "$tmp"/*.avi "$tmp"/*.mov
	printf '%s\n' "$@"
}

# try PROGRAM ARGS: fails when the sanitizer found something. Files may be spoilt: 3 and 5 are no findings.
try() {
	code=0
	"$@" >"$tmp/out" 2>"$tmp/talk" || code=$?
	case $code in
	0 | 3 | 5) if ! grep -q Sanitizer "$tmp/talk"; then return 0; fi ;;
	esac
	echo "exit code $code: $*"
	return 1
}

if [ $# -eq 0 ]; then
	make_files >"$tmp/list"
else
	printf '%s\n' "$@" >"$tmp/list"
fi
build "$tmp/pinring"
count=0
while read -r file; do
	for policy in conceal repeat; do
		try "$tmp/pinring" run "$file" --on-error "$policy" -o md5: || { cat "$tmp/talk"; exit 1; }
	done
	try "$tmp/pinring" run "$file" --start 0.3 --duration 0.4 --emulate card-24g --max-pinned 512MiB --staging-format rgb24 -f negate,scale=128:96 \
		-o "$tmp/out.mkv" -y --preset ultrafast || { cat "$tmp/talk"; exit 1; }
	count=$((count + 1))
done <"$tmp/list"
echo "address sanitizer: $count files, nothing found"

# The fault: a slot's record is read after it was freed.
fault="$tmp/pool.c"
sed 's/^\(\t*\)free(s);$/\1free(s); ((volatile slot *)s)->busy = 0;/' internal/av/pool.c >"$fault"
if cmp -s "$fault" internal/av/pool.c; then
	echo "the fault could not be planted: internal/av/pool.c has changed"
	exit 1
fi
printf '{"Replace": {"%s/internal/av/pool.c": "%s"}}\n' "$PWD" "$fault" >"$tmp/overlay.json"
build "$tmp/faulty" -overlay "$tmp/overlay.json"
if try "$tmp/faulty" run "$(head -n 1 "$tmp/list")" >/dev/null; then
	echo "the planted fault was not found: the sanitizer does not look at our code"
	exit 1
fi
grep -m 1 -E 'ERROR: AddressSanitizer' "$tmp/talk"
echo "address sanitizer: the planted fault was found"
