#!/bin/sh
# check-no-fma.sh fails if the kernels, in any build, contain fused multiply-add or other floating-point
# arithmetic: it would let the two devices differ.
set -eu
cd "$(dirname "$0")/.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/kernels.a" ./kernels
(cd "$tmp" && ar x kernels.a)
found=0
for o in "$tmp"/*.o; do
	# Only objects with host kernels; the archive also holds Go's own.
	objdump -t "$o" 2>/dev/null | grep -qE ' pinring_planes_[a-z0-9]+$' || continue
	found=$((found + 1))
	if objdump -d "$o" | grep -E '\s(vfn?m(add|sub)|v?(add|sub|mul|div)[sp][sd])' >&2; then
		echo "check-no-fma: floating-point arithmetic in the host kernels" >&2
		exit 1
	fi
done
if [ "$found" -lt 2 ]; then
	echo "check-no-fma: the host kernels were not found in the build" >&2
	exit 1
fi
if grep -E 'fma\.|\.f(16|32|64)' kernels/kernels.ptx >&2; then
	echo "check-no-fma: floating-point arithmetic in the PTX" >&2
	exit 1
fi
