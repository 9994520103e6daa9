#!/bin/sh
# build-ptx.sh [OUTPUT] compiles the kernels to PTX (default: kernels/kernels.ptx, which is committed
# and embedded). Needs Debian's clang-14 and no CUDA toolkit. The first line of the file carries a
# checksum of the sources; a test compares it, so that sources and PTX cannot drift apart.
set -eu
cd "$(dirname "$0")/../kernels"
out=${1:-kernels.ptx}
case $out in /*) ;; *) [ $# -eq 0 ] || out=$OLDPWD/$out ;; esac
clang=${CLANG:-clang++-14}
command -v "$clang" >/dev/null || {
	echo "build-ptx: $clang not found: apt-get install clang-14, or set CLANG" >&2
	exit 1
}
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
"$clang" -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib \
	-O3 -ffp-contract=off -S kernels.cu -o "$tmp"
if grep -qE 'fma\.|mad\.rn\.f|\.f(32|64)' "$tmp"; then
	echo "build-ptx: floating-point code in the PTX: the two devices would differ" >&2
	exit 1
fi
{
	echo "// sources sha256 $(cat portable.h params.h tone.h samples.h resample.h planes.cu resize.cu convert.cu wide.cu turn.cu unsharp.cu kernels.cu | sha256sum | cut -d' ' -f1)"
	cat "$tmp"
} >"$out"
