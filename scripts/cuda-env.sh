#!/bin/sh
# Prints the exports with which programs that use gpu/cuda are built without a CUDA toolkit:
#
#	eval "$(scripts/cuda-env.sh)" && go build -tags cuda ./...
#
# With an argument, that folder is searched for cuda.h instead of our own (a toolkit up to CUDA 12;
# gorgonia.org/cu does not compile with the headers of CUDA 13). The program then needs a driver to
# start.
#
# PINRING_CUDA_STAMP is there because the go command's build cache does not look at cuda.h: the
# header's checksum in the flags makes a changed header a different build. Package gpu/cuda/env
# prints the same from Go.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
include=${1:-$root/gpu/cuda/include}
lib=$root/gpu/cuda/lib
if [ ! -f "$include/cuda.h" ]; then
	echo "cuda-env.sh: there is no cuda.h in $include" >&2
	exit 2
fi
stamp=$(cksum <"$include/cuda.h" | cut -d' ' -f1)
cflags="-g -O2 -I$include -DPINRING_CUDA_STAMP=$stamp -Wno-deprecated-declarations"
# go-nvml leaves its symbols to be found later: -z lazy undoes the -z now of some distributions' gcc.
if [ $# -eq 0 ]; then
	ldflags="-g -O2 -L$lib -Wl,-z,lazy"
else
	ldflags="-g -O2 -Wl,-z,lazy"
	for dir in "$include/../lib64" "$include/../lib" "$include/../lib64/stubs"; do
		if [ -d "$dir" ]; then ldflags="$ldflags -L$dir"; fi
	done
fi
echo "export CGO_CFLAGS='$cflags'"
echo "export CGO_LDFLAGS='$ldflags'"
