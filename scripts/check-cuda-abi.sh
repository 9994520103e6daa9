#!/bin/sh
# Compares every constant, type, struct and prototype of gpu/cuda/include/cuda.h with real headers, and what
# budget/nvml believes of nvml.h (scripts/nvml-abi.c).
#
#	scripts/check-cuda-abi.sh [INCLUDE-FOLDER]...
#
# Without a folder: those of an installed toolkit, and those in NVIDIA's Python packages for CUDA 12
# and 13, fetched into a temporary folder. Nothing of them is kept. When there is nothing to compare
# with, it says so and succeeds; with PINRING_REQUIRE_CUDA=1 that is a failure.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
compared=0
managed=0

# compare FOLDER: builds and runs the checking program against FOLDER/cuda.h.
compare() {
	(cd "$root" && go run ./tools/cudah -check "$tmp/abi.c" -real "$1/cuda.h")
	"${CC:-cc}" -std=gnu11 -Wno-deprecated-declarations -I"$1" "$tmp/abi.c" -o "$tmp/abi"
	echo "$1:"
	"$tmp/abi"
	compared=$((compared + 1))
	if [ -f "$1/nvml.h" ]; then management "$1"; fi
}

# management FOLDER: the same against FOLDER/nvml.h.
management() {
	"${CC:-cc}" -std=gnu11 -Wall -Wno-deprecated-declarations -I"$1" "$root/scripts/nvml-abi.c" -o "$tmp/nvml-abi"
	"$tmp/nvml-abi"
	managed=$((managed + 1))
}

# fetch PACKAGE: puts a wheel's files into $tmp/PACKAGE; fails when it cannot be had.
fetch() {
	python3 -m pip download -q --no-deps --only-binary=:all: -d "$tmp/$1" "$1" >"$tmp/pip.log" 2>&1 &&
		python3 -m zipfile -e "$tmp/$1"/*.whl "$tmp/$1"
}

if [ $# -gt 0 ]; then
	for dir; do compare "$dir"; done
	exit 0
fi
if [ -f /usr/local/cuda/include/cuda.h ]; then compare /usr/local/cuda/include; fi
for package in nvidia-cuda-runtime-cu12 nvidia-cuda-runtime; do
	if fetch "$package"; then
		compare "$(dirname "$(find "$tmp/$package" -name cuda.h | head -n 1)")"
	else
		echo "check-cuda-abi: skipped the headers of $package: $(tail -n 1 "$tmp/pip.log" 2>/dev/null)" >&2
	fi
done
for package in nvidia-nvml-dev-cu12 nvidia-nvml-dev; do
	if fetch "$package"; then
		header=$(find "$tmp/$package" -name nvml.h | head -n 1)
		echo "$header:"
		management "$(dirname "$header")"
	else
		echo "check-cuda-abi: skipped the header of $package: $(tail -n 1 "$tmp/pip.log" 2>/dev/null)" >&2
	fi
done
if [ "$compared" -eq 0 ] || [ "$managed" -eq 0 ]; then
	echo "check-cuda-abi: SKIPPED: cuda.h ($compared compared) or nvml.h ($managed): no toolkit in /usr/local/cuda, and pip could fetch none" >&2
	[ "${PINRING_REQUIRE_CUDA:-}" != 1 ]
fi
