#!/bin/sh
# Runs what is built for Windows under wine, with wine's DXGI and test doubles of NVIDIA's libraries
# that are written here. It shows that our calls reach Windows' interfaces (API plumbing only): neither
# Windows nor a GPU is in it, and no figure of it says anything about WDDM.
#
#	scripts/test-windows.sh [PACKAGE]...
set -eu
cd "$(dirname -- "$0")/.."
tmp=$(mktemp -d)
export WINEPREFIX=$tmp/prefix WINEDEBUG=-all WINEARCH=win64
export WINEDLLOVERRIDES="mscoree=;mshtml=;winemenubuilder.exe="
cleanup() {
	wineserver -k 2>/dev/null || true
	wineserver -w 2>/dev/null || true
	rm -rf "$tmp" || true
}
trap cleanup EXIT INT TERM

# Packages with a part that only Windows has, or that the program for Windows stands on.
packages='./gpu/nvcuda ./budget/dxgi ./budget/nvml ./budget/host ./budget ./internal/lockfile ./internal/stopwatch ./budget/internal/roster ./budget/quota
	./config ./pipeline ./kernels ./probe ./report ./gpu/open ./cmd/internal/... ./cmd/pinring-probe'
if [ $# -gt 0 ]; then packages=$*; fi

scripts/wine-prefix.sh "$WINEPREFIX"
go run ./tools/driverdouble -windows "$WINEPREFIX/system32"
wine64=$(command -v wine64 || echo /usr/lib/wine/wine64)

# PINRING_TEST_WINE: the doubles and wine's DXGI must be there; without it their absence is a skip.
export PINRING_TEST_WINE=1 PINRING_REQUIRE_CUDA=1
failed=
# On a line of its own: a name that does not exist must end this, not leave nothing to run.
list=$(CGO_ENABLED=0 GOOS=windows go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' $packages)
[ -n "$list" ] || { echo "test-windows: none of these has tests for Windows: $packages" >&2; exit 1; }
for package in $list; do
	dir=$(go list -f '{{.Dir}}' "$package")
	CGO_ENABLED=0 GOOS=windows go test -c -o "$tmp/test.exe" "$package"
	echo "under wine: $package"
	code=0
	(cd "$dir" && "$wine64" "$tmp/test.exe" -test.v -test.timeout 120s) >"$tmp/log" 2>&1 || code=$?
	tr -d '\r' <"$tmp/log" | awk -v code=$code -f scripts/wine-log.awk || {
		failed="$failed $package"
		grep -vE '^ *(=== |--- PASS)' "$tmp/log" | tail -n 60
	}
done
if [ -n "$failed" ]; then
	echo "test-windows: failed:$failed" >&2
	exit 1
fi
echo "test-windows: passed under wine with test doubles (API plumbing only: no Windows, no GPU)"
