# shellcheck shell=bash
# Which packages tpreport is built from on Debian and Ubuntu, and how missing ones are installed. Sourced by examples/run.sh
# and tests/run.sh. "a|b" is a, or b where the system does not offer a.

# shellcheck disable=SC2034  # used by who sources this
build_packages=(
	gcc libc6-dev cmake ninja-build pkgconf protobuf-c-compiler
	libxml2-dev libcairo2-dev libpango1.0-dev libfontconfig-dev libjansson-dev
	libprotobuf-c-dev libpcre2-dev zlib1g-dev libdeflate-dev libzstd-dev libsqlite3-dev libedit-dev libcurl4-openssl-dev
	fonts-inter 'fonts-jetbrains-mono|fonts-dejavu-core'
)
# Unpacks gzip faster than zlib, which does it elsewhere.
if [ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ]; then
	build_packages+=(libisal-dev)
fi

# say_system: whether this is one of the systems on which all of this was tried.
say_system() {
	local ID='' VERSION_ID='' PRETTY_NAME='an unknown system'

	# shellcheck source=/dev/null
	[ ! -r /etc/os-release ] || source /etc/os-release
	case "$ID $VERSION_ID" in
	'debian 12' | 'debian 13' | 'ubuntu 22.04' | 'ubuntu 24.04') ;;
	*) echo "Tried on Debian 12 and 13, Ubuntu 22.04 and 24.04; this is $PRETTY_NAME, and may need other packages." >&2 ;;
	esac
}

is_installed() {
	[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# first_of HOLDS A|B: the first of them for which HOLDS PACKAGE is true.
first_of() {
	local package packages

	IFS='|' read -ra packages <<<"$2"
	for package in "${packages[@]}"; do
		if "$1" "$package"; then
			echo "$package"
			return
		fi
	done
	return 1
}

is_offered() {
	[ -n "$(apt-cache show --no-all-versions "$1" 2>/dev/null)" ]
}

# missing_of PACKAGE...: those that are not installed; of "a|b" also where b is, if the package lists offer a.
missing_of() {
	local wanted

	for wanted in "$@"; do
		if ! is_installed "${wanted%%|*}" &&
			{ ! first_of is_installed "$wanted" >/dev/null || is_offered "${wanted%%|*}"; }; then
			echo "$wanted"
		fi
	done
}

# install_missing PACKAGE...: says what is missing and installs that; does nothing when all is there.
install_missing() {
	local wanted package missing=() root=() chosen=() unknown=()

	if ! command -v dpkg-query >/dev/null; then
		echo "not a Debian system: please install the counterparts of: $*" >&2
		return
	fi
	mapfile -t missing < <(missing_of "$@")
	if [ ${#missing[@]} -eq 0 ]; then
		return
	fi

	echo "Installing ${#missing[@]} packages and what they need: ${missing[*]}"
	if [ "$(id -u)" -ne 0 ]; then
		if ! command -v sudo >/dev/null; then
			echo "cannot install them: neither root nor sudo; run as root: apt-get install ${missing[*]%%|*}" >&2
			return 1
		fi
		root=(sudo)
	fi
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update --quiet
	mapfile -t missing < <(missing_of "$@")
	for wanted in "${missing[@]}"; do
		if package=$(first_of is_offered "$wanted"); then
			chosen+=("$package")
		else
			unknown+=("$wanted")
		fi
	done
	if [ ${#unknown[@]} -ne 0 ]; then
		echo "this system's package lists do not offer: ${unknown[*]} (on Ubuntu they are in 'universe')" >&2
		return 1
	fi
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes \
		--no-install-recommends "${chosen[@]}"
}
