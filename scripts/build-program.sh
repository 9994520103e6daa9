#!/bin/sh
# build-program.sh VERSION [OUTPUT] builds the program (bin/pinring) for CUDA, without a CUDA toolkit.
#
# go-astiav links libavfilter and libavdevice, of which pinring uses nothing. They bring 79 of 215 shared
# libraries, and a third of the time to the first frame (docs/performance.md). So the linker finds empty archives
# (cmd/pinring/lib) in their place. That is sound as long as no function of theirs can be reached, which is
# looked at here: the linker itself would not tell, since go-nvml's flags make it accept undefined symbols.
set -eu
version=${1:?usage: build-program.sh VERSION [OUTPUT]}
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
output=${2:-$root/bin/pinring}
cd "$root"
# Our own C is looked at before, what is called of go-astiav afterwards.
if own=$(grep -rlE 'include <(libavfilter|libavdevice)/' --include='*.c' --include='*.h' --include='*.go' .); then
	echo "build-program: libavfilter or libavdevice is used now, and must be linked:" $own >&2
	exit 1
fi
eval "$(scripts/cuda-env.sh)"
# The folder has to come before those that other packages name, hence with the compiler's name.
linker="$(go env CC) \"-L$root/cmd/pinring/lib\""
go build -tags cuda -ldflags "-X main.stamped=$version '-extld=$linker'" -o "$output" ./cmd/pinring
if used=$(go tool nm "$output" | grep -oE 'go-astiav\._Cfunc_(avfilter|avdevice|av_buffersrc|av_buffersink)_?[a-z_]*'); then
	rm -f "$output"
	echo "build-program: libavfilter or libavdevice is used now, and must be linked:" $used >&2
	exit 1
fi
