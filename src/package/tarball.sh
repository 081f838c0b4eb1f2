#!/usr/bin/env bash
# A folder that runs from anywhere, with the libraries that the program needs, as a tarball. On the oldest Linux that it is to run on:
#
#     src/package/tarball.sh [OUT]      OUT is a folder, dist when not given
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

out=${1:-dist}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^\tVERSION \([0-9.]*\)$/\1/p' CMakeLists.txt)
name=tpreport-$version-linux-$(uname -m)

# shellcheck source=src/package/libxml2.sh
source src/package/libxml2.sh
use_small_libxml2 "$PWD/build/libxml2"
cmake -S . -B build/bundle -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DTP_BUNDLE=ON >/dev/null
cmake --build build/bundle --parallel 2
cmake --install build/bundle --strip --prefix "$work/$name" >/dev/null
cp LICENSE CHANGELOG.md "$work/$name/"

# The same bytes each time: names in order, one time, nobody's files.
mkdir -p "$out"
tar --create --directory "$work" --sort=name --mtime="@${SOURCE_DATE_EPOCH:-0}" --owner=0 --group=0 --numeric-owner \
	--mode=u+rw,go+r-w "$name" | gzip -9 -n >"$out/$name.tar.gz"
echo "$out/$name.tar.gz: $(stat --format=%s "$out/$name.tar.gz") bytes"
