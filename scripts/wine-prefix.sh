#!/bin/sh
# Makes a wine prefix in which Go programs run, for trying what is built for Windows:
#
#	scripts/wine-prefix.sh FOLDER
#
# It installs wine and mingw where they are missing (Debian, 1.2 GB). FOLDER/system32 is a link to the
# prefix's System32. Wine is not Windows: what is seen there is that our calls reach Windows'
# interfaces (API plumbing), never what WDDM does.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
folder=${1:?name the folder}
packages='wine wine64 gcc-mingw-w64-x86-64'

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

missing=
for p in $packages; do
	status=$(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null) || status=
	[ "$status" = installed ] || missing="$missing $p"
done
if [ -n "$missing" ]; then
	echo "wine-prefix: installing$missing" >&2
	as_root apt-get update -qq
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi

mkdir -p "$folder"
export WINEPREFIX=$folder WINEDEBUG=-all WINEARCH=win64
# Neither Mono nor Gecko is asked for, and no menu entries are made.
export WINEDLLOVERRIDES="mscoree=;mshtml=;winemenubuilder.exe="
wine64=$(command -v wine64 || echo /usr/lib/wine/wine64)
"$wine64" wineboot --init >/dev/null 2>&1
"$wine64" reg add 'HKCU\Software\Wine' /v Version /d win10 /f >/dev/null
# No X is needed; the card of wine's DXGI has 8 GiB.
"$wine64" reg add 'HKCU\Software\Wine\Direct3D' /v renderer /d no3d /f >/dev/null
"$wine64" reg add 'HKCU\Software\Wine\Direct3D' /v VideoMemorySize /d 8192 /f >/dev/null
system32=$folder/drive_c/windows/system32
ln -sfn "$system32" "$folder/system32"
# Programs built with Go 1.26 need this library, which wine 8 has not.
if [ ! -e "$system32/bcryptprimitives.dll" ]; then
	x86_64-w64-mingw32-gcc -O2 -shared -o "$system32/bcryptprimitives.dll" "$root/scripts/bcryptprimitives.c" -ladvapi32
fi
wineserver -w 2>/dev/null || true
