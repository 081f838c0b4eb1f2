# shellcheck shell=bash
# A libxml2 without ICU for what brings its libraries along; sourced by wheel.sh and tarball.sh.

# Debian's libxml2 needs ICU, whose tables alone are 30 MB; tpreport reads UTF-8 only. So one without it is built, from the source package
# of the same version.
asks_for_icu() {
	# Not grep -q, which ends early: what still writes to it then fails, and with it the pipe.
	objdump --private-headers "$(pkg-config --variable=libdir libxml-2.0)/libxml2.so" 2>/dev/null | grep 'NEEDED *libicu' >/dev/null
}

# build_libxml2 TO: installs it there.
build_libxml2() {
	local work sources to=$1

	if ! command -v xz >/dev/null; then
		echo "xz, which unpacks the source of libxml2, is missing: apt-get install xz-utils" >&2
		return 1
	fi
	work=$(mktemp -d)
	sources=$work/sources
	mkdir -p "$sources/lists/partial" "$sources/from"
	# Either may be missing, and each is written in its own way.
	sed 's/^deb /deb-src /' /etc/apt/sources.list 2>/dev/null >"$sources/from/lines.list" || true
	sed --separate 's/^Types: deb$/Types: deb-src/; $G' /etc/apt/sources.list.d/{debian,ubuntu}.sources 2>/dev/null >"$sources/from/stanzas.sources" || true
	chmod 755 "$work"
	(
		cd "$sources"
		apt_options=(-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$sources/from" -o Dir::State::lists="$sources/lists"
			-o APT::Sandbox::User=root)
		apt-get "${apt_options[@]}" --quiet --quiet update
		apt-get "${apt_options[@]}" --quiet --quiet source --download-only libxml2
		mkdir libxml2
		tar xf libxml2_*.orig.tar.* -C libxml2 --strip-components=1
	)
	# Its folder has another name each time, which messages would name.
	cmake -S "$sources/libxml2" -B "$work/libxml2" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$to" \
		-DCMAKE_C_FLAGS="-ffile-prefix-map=$work=." \
		-DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=ON -DLIBXML2_WITH_ICU=OFF -DLIBXML2_WITH_LZMA=OFF -DLIBXML2_WITH_PYTHON=OFF \
		-DLIBXML2_WITH_TESTS=OFF -DLIBXML2_WITH_PROGRAMS=OFF -DLIBXML2_WITH_HTTP=OFF -DLIBXML2_WITH_FTP=OFF >/dev/null
	cmake --build "$work/libxml2" --parallel 2
	cmake --install "$work/libxml2" --strip >/dev/null
	cp "$sources/libxml2/Copyright" "$to/lib/copyright"
	rm -rf "$work"
}

# use_small_libxml2 FOLDER: has pkg-config find one in that folder, where the system's asks for ICU.
use_small_libxml2() {
	local prefix=$1

	if asks_for_icu; then
		[ -e "$prefix/lib/pkgconfig/libxml-2.0.pc" ] || build_libxml2 "$prefix"
		export PKG_CONFIG_PATH=$prefix/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
	fi
}
