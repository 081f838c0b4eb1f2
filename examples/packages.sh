# shellcheck shell=bash
# Which Debian packages tpreport is built from, and how missing ones are installed. Sourced by
# examples/run.sh and tests/run.sh.

# shellcheck disable=SC2034  # used by who sources this
build_packages=(
	gcc libc6-dev cmake ninja-build pkgconf protobuf-c-compiler
	libxml2-dev libcairo2-dev libpango1.0-dev libfontconfig-dev libjansson-dev
	libprotobuf-c-dev zlib1g-dev libzstd-dev
	fonts-inter fonts-jetbrains-mono
)
# Unpacks gzip faster than zlib, which does it elsewhere.
if [ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ]; then
	build_packages+=(libisal-dev)
fi

is_installed() {
	[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# install_missing PACKAGE...: says what is missing and installs that; does nothing when all is there.
install_missing() {
	local package missing=() root=()

	if ! command -v dpkg-query >/dev/null; then
		echo "not a Debian system: please install the counterparts of: $*" >&2
		return
	fi
	for package in "$@"; do
		is_installed "$package" || missing+=("$package")
	done
	if [ ${#missing[@]} -eq 0 ]; then
		return
	fi

	echo "Installing ${#missing[@]} packages and what they need: ${missing[*]}"
	if [ "$(id -u)" -ne 0 ]; then
		if ! command -v sudo >/dev/null; then
			echo "cannot install them: neither root nor sudo; run as root: apt-get install ${missing[*]}" >&2
			return 1
		fi
		root=(sudo)
	fi
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update --quiet
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes \
		--no-install-recommends "${missing[@]}"
}
