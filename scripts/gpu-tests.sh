#!/bin/sh
# Builds everything that tests the CUDA side into a folder, with a script that runs it. The folder
# needs neither Go nor this repository: carry it to a machine with an NVIDIA GPU.
#
#	scripts/gpu-tests.sh OUTDIR        then, on the other machine:   sh OUTDIR/run.sh [quick]
#
# quick leaves compute-sanitizer out.
set -eu
if [ $# -ne 1 ]; then
	echo "usage: scripts/gpu-tests.sh OUTDIR" >&2
	exit 2
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname -- "$0")/.."
eval "$(scripts/cuda-env.sh)"
for package in gpu/cuda gpu/open budget/nvml budget/wddm; do
	go test -c -tags cuda -o "$out/$(basename "$package").test" "./$package"
done
# What is for Windows, in pure Go, on the same driver: the device, pinring's kernels through it, the program.
CGO_ENABLED=0 go test -c -o "$out/nvcuda.test" ./gpu/nvcuda
go test -c -o "$out/kerneltest.test" ./kernels/kerneltest
CGO_ENABLED=0 go build -o "$out/pinring-probe" ./cmd/pinring-probe
(scripts/examples.sh "$out") >/dev/null
go run ./tools/cudah -check "$out/abi.c"
cp scripts/check-ptx.sh "$out/"
git ls-files '*.ptx' | while read -r f; do cp "$f" "$out/"; done
git rev-parse HEAD >"$out/commit" 2>/dev/null || true
cat >"$out/run.sh" <<'RUN'
#!/bin/sh
# Runs the CUDA tests, each part even when one before it failed.
cd "$(dirname -- "$0")" || exit 2
export PINRING_REQUIRE_CUDA=1
status=0
part() {
	echo "== $*"
	"$@" || { echo "== FAILED ($?): $*"; status=1; }
}
date -u
cat commit
nvidia-smi --query-gpu=name,driver_version,pci.bus_id,memory.total --format=csv,noheader
part ./cuda.test -test.v -test.run 'Timeline|Pinned|Flags|Poison|Foreign(Stream|$)|NoSuch|BadPTX|Driver'
part ./cuda.test
part ./cuda.test -test.run '^$' -test.bench . -test.benchmem
part ./nvcuda.test -test.v -test.run 'Timeline|Pinned|Poison|Foreign(Stream|$)|NoSuch|BadPTX'
part ./nvcuda.test
part ./nvcuda.test -test.run '^$' -test.bench . -test.benchmem
part ./kerneltest.test -test.v -test.run 'PureGoGives'
part ./pinring-probe compare --frames 900 --filter negate
part ./nvml.test -test.v -test.run Open
part ./open.test -test.v -test.run 'TestDevice$'
part ./ring.test -test.v -test.run CUDA
part ./ring -device cuda -frames 2000
part ./wddm.test -test.v -test.run 'TestCardBallast(SeenFromOutside)?$'
if [ -f /usr/local/cuda/include/cuda.h ]; then
	part cc -std=gnu11 -Wno-deprecated-declarations -I/usr/local/cuda/include abi.c -o abi && part ./abi
else
	echo "== SKIPPED: no /usr/local/cuda/include/cuda.h to compare with"
fi
part sh ./check-ptx.sh ./*.ptx
sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
if [ "${1:-}" = quick ] || [ ! -x "$sanitizer" ]; then
	echo "== SKIPPED: compute-sanitizer"
else
	# The suite provokes API errors on purpose; TestPoison provokes a fault, TestTimeline wants speed.
	for tool in memcheck synccheck; do
		part "$sanitizer" --tool "$tool" --report-api-errors no --error-exitcode 9 ./cuda.test -test.run 'TestConformance$|TestForeignContext|TestPinned' -rapid.checks 20
	done
fi
exit $status
RUN
echo "$out: run it with: sh run.sh"
