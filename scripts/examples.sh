#!/bin/sh
# Builds, tests and runs the examples as programs of other people: copies in a folder outside of the
# repository, as modules of their own that see the public packages only. The ring is built for CUDA
# as well, with the flags that a program of other people would use.
#
#	scripts/examples.sh [OUTDIR]
#
# With OUTDIR the CUDA build of the ring and its tests are left there, for a machine with a GPU.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
keep=
if [ $# -gt 0 ]; then
	mkdir -p "$1"
	keep=$(cd "$1" && pwd)
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$root/examples/." "$work"
for mod in "$work"/*/go.mod; do
	dir=$(dirname "$mod")
	name=$(basename "$dir")
	cd "$dir"
	echo "== examples/$name"
	go mod edit -replace "github.com/pinring/pinring=$root"
	go mod tidy -diff
	go vet ./...
	go test -race ./...
done
cd "$work/guard"
go run .
cd "$work/ring"
go run . -device cpu
echo "== examples/ring, built for CUDA"
eval "$("$root/scripts/cuda-env.sh")"
go vet -tags cuda ./...
go build -tags cuda -o ring .
go test -tags cuda -c -o ring.test .
./ring -device cpu
if [ -n "$keep" ]; then
	cp ring ring.test "$keep"
fi
