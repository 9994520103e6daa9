#!/bin/sh
# Installs what the build and the tests need and this machine lacks: a C compiler, clang (for the
# kernels' PTX), FFmpeg 5.1 with its development files. Quick and silent when all is there.
#
#	scripts/setup.sh
#
# Debian 12 is what it can install on. Elsewhere it says what is missing and what to do.
set -eu

packages='
	clang-14 ffmpeg gcc git libc6-dev pkg-config python3 python3-pip
	libavcodec-dev libavdevice-dev libavfilter-dev libavformat-dev libavutil-dev
	libswresample-dev libswscale-dev'
go_wanted=$(sed -n 's/^go \([0-9.]*\)$/\1/p' "$(dirname -- "$0")/../go.mod")

say() { echo "setup: $*" >&2; }
die() {
	say "$1"
	shift
	for line; do echo "hint: $line" >&2; done
	exit 1
}

# older A B: is version A older than B?
older() { [ "$1" != "$2" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# lacking prints the packages that dpkg does not know as installed.
lacking() {
	for p in $packages; do
		status=$(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null) || status=
		[ "$status" = installed ] || echo "$p"
	done
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "not root, and there is no sudo" "as root: apt-get install -y $(echo $packages)"
	fi
}

install_missing() {
	command -v dpkg-query >/dev/null || return 0 # no Debian: the checks below tell what is missing
	missing=$(lacking)
	[ -n "$missing" ] || return 0
	say "installing $(echo $missing)"
	as_root apt-get update -qq
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

check_go() {
	command -v go >/dev/null || die "there is no Go" "install Go $go_wanted or newer: https://go.dev/dl"
	# GOTOOLCHAIN=local: the version that is here, not one that go.mod would make it fetch.
	have=$(cd / && GOTOOLCHAIN=local go env GOVERSION | sed 's/^go//; s/[^0-9.].*//')
	if older "$have" "$go_wanted"; then
		die "Go $have is too old" "install Go $go_wanted or newer: https://go.dev/dl"
	fi
}

check_ffmpeg() {
	elsewhere="on Debian 12 scripts/setup.sh installs it; elsewhere build in a container (debian:12 with Go added), or install FFmpeg 5.1 and let PKG_CONFIG_PATH point to its lib/pkgconfig"
	command -v pkg-config >/dev/null || die "there is no pkg-config" "$elsewhere"
	have=$(pkg-config --modversion libavcodec 2>/dev/null) || die "there are no development files of FFmpeg" "$elsewhere"
	[ "${have%%.*}" = 59 ] ||
		die "libavcodec $have is here, but the bindings (go-astiav v0.16.0) fit version 59, which is FFmpeg 5.1, and no other" "$elsewhere"
	for lib in libavformat libavutil libavfilter libavdevice libswscale libswresample; do
		pkg-config --exists "$lib" || die "the development files of $lib are missing" "$elsewhere"
	done
}

check_compiler() {
	command -v "${CC:-gcc}" >/dev/null || die "there is no C compiler" "install gcc, or name another one in CC"
}

install_missing
check_go
check_compiler
check_ffmpeg
