#!/bin/sh
# Assembles PTX files with NVIDIA's ptxas for four generations of GPUs and prints each kernel's
# registers and spills.
#
#	scripts/check-ptx.sh [FILE.ptx]...          all of the repository without a file
#
# ptxas is taken from $PTXAS, from PATH, from /usr/local/cuda/bin, or from NVIDIA's Python package,
# fetched into a temporary folder. Without any the check says so and succeeds; with
# PINRING_REQUIRE_CUDA=1 that is a failure. Spills are printed, not judged; a file that does not
# assemble is a failure.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM

# find_ptxas prints the assembler's path, or nothing.
find_ptxas() {
	if [ -n "${PTXAS:-}" ]; then echo "$PTXAS"; return; fi
	if command -v ptxas; then return; fi
	if [ -x /usr/local/cuda/bin/ptxas ]; then echo /usr/local/cuda/bin/ptxas; return; fi
	if python3 -m pip download -q --no-deps --only-binary=:all: -d "$tmp/nvcc" nvidia-cuda-nvcc-cu12 >"$tmp/pip.log" 2>&1; then
		python3 -m zipfile -e "$tmp"/nvcc/*.whl "$tmp/nvcc"
		found=$(find "$tmp/nvcc" -name ptxas -type f | head -n 1)
		if [ -n "$found" ]; then chmod +x "$found"; fi
		echo "$found"
	fi
}

# assemble FILE ARCH prints one line for each kernel: name, registers, stack and spills in bytes.
assemble() {
	if ! "$ptxas" -v -arch="$2" "$1" -o "$tmp/out.cubin" >"$tmp/log" 2>&1; then
		echo "check-ptx: $1 does not assemble for $2:" >&2
		cat "$tmp/log" >&2
		return 1
	fi
	awk -v arch="$2" '
		/Compiling entry function/ { split($0, part, "\x27"); name = part[2] }
		/bytes stack frame/ { stack = $1; stores = $5; loads = $9 }
		/Used [0-9]+ registers/ {
			for (i = 1; i <= NF; i++) if ($i == "Used") registers = $(i + 1)
			printf "  %-6s %-40s %4d registers, %d bytes stack, %d spill stores, %d spill loads\n", arch, name, registers, stack, stores, loads
			kernels++
		}
		END { if (!kernels) { print "  no kernel was assembled"; exit 1 } }
	' "$tmp/log"
}

ptxas=$(find_ptxas)
if [ -z "$ptxas" ]; then
	echo "check-ptx: SKIPPED: no ptxas in PATH or /usr/local/cuda/bin, and pip could not fetch it" >&2
	[ "${PINRING_REQUIRE_CUDA:-}" != 1 ]
	exit
fi
"$ptxas" --version | tail -n 1
if [ $# -eq 0 ]; then
	set -- $(find "$root" -name '*.ptx' -not -path '*/.cache/*' | sort)
	if [ $# -eq 0 ]; then
		echo "check-ptx: there is no PTX file below $root" >&2
		exit 1
	fi
fi
known=$("$ptxas" --help)
status=0
for file; do
	echo "$file"
	for arch in sm_70 sm_80 sm_90 sm_120; do
		case $known in
		*"'$arch'"*) assemble "$file" "$arch" || status=1 ;;
		*) echo "  $arch: skipped, this ptxas does not know it" ;;
		esac
	done
done
exit $status
