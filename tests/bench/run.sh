#!/usr/bin/env bash
# Measures tpreport beside its peer on large profiles made here; a benchmark, never a test.
#
#     tests/bench/run.sh [--make] [--install-peer] [--measure] [OPTION...]
#
#     --make            make the large profiles in the scratch directory
#     --install-peer    install the peer, xprof, from PyPI into a virtual environment of its own there
#     --measure         run both in turn and print the tables
#     --scratch DIR     where all of that goes (TPREPORT_BENCH, or /tmp/tpreport-bench)
#     --tpreport FILE   the program (build/release/tpreport)
#     --size MB         how large each profile is (150)
#     --runs N          how often each runs (3)
#     --timeline        let the peer make its timeline too
#     --no-peer         only tpreport
#
# Without --make, --install-peer and --measure it says what is there and what is missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

peer_version=2.24.2
scratch=${TPREPORT_BENCH:-${TMPDIR:-/tmp}/tpreport-bench}
tpreport=$root/build/release/tpreport
size=150
runs=3
make=false install_peer=false measure=false with_peer=true
more=()

usage() {
	sed -n '2,/^set /{/^set /d; s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}"
}

while [ $# -gt 0 ]; do
	case $1 in
	--make) make=true ;;
	--install-peer) install_peer=true ;;
	--measure) measure=true ;;
	--timeline) more+=(--timeline) ;;
	--no-peer) with_peer=false ;;
	--scratch | --tpreport | --size | --runs)
		if [ $# -lt 2 ]; then
			echo "$1 needs a value" >&2
			exit 2
		fi
		case $1 in
		--scratch) scratch=$2 ;;
		--tpreport) tpreport=$2 ;;
		--size) size=$2 ;;
		--runs) runs=$2 ;;
		esac
		shift
		;;
	-h | --help)
		usage
		exit 0
		;;
	*)
		echo "unknown option '$1'; see --help" >&2
		exit 2
		;;
	esac
	shift
done
peer=$scratch/peer/bin/python

has_peer() {
	[ -x "$peer" ] && "$peer" -c 'import xprof.convert.raw_to_tool_data' 2>/dev/null
}

if $make; then
	mkdir -p "$scratch"
	for kind in jax-cpu tpu; do
		echo "making $scratch/big-$kind" >&2
		rm -rf "$scratch/big-$kind" "$scratch/big-$kind.json"
		python3 "$here/make_big_xplane.py" "$scratch/big-$kind" --kind "$kind" --size "$size" \
			>"$scratch/big-$kind.json.part"
		mv "$scratch/big-$kind.json.part" "$scratch/big-$kind.json"
	done
fi

if $install_peer && ! has_peer; then
	mkdir -p "$scratch"
	# Where ensurepip is absent (Debian without python3-venv), virtualenv does the same.
	python3 -m venv "$scratch/peer" || python3 -m virtualenv "$scratch/peer"
	"$scratch/peer/bin/pip" install --quiet --disable-pip-version-check "xprof==$peer_version"
fi

missing=()
[ -x "$tpreport" ] || missing+=("the program, $tpreport: cmake --preset release && cmake --build --preset release")
for kind in jax-cpu tpu; do
	[ -e "$scratch/big-$kind.json" ] || missing+=("$scratch/big-$kind: --make (${size} MB)")
done
if $with_peer && ! has_peer; then
	missing+=("the peer, xprof $peer_version, in $scratch/peer: --install-peer (about 400 MB), or --no-peer")
fi

if [ ${#missing[@]} -gt 0 ]; then
	echo "missing:" >&2
	printf '  %s\n' "${missing[@]}" >&2
	if $measure; then
		exit 2
	fi
elif ! $measure; then
	echo "all is there; --measure runs both $runs times in turn, which takes minutes" >&2
fi

if $measure; then
	if $with_peer; then
		more+=(--peer "$peer")
	fi
	python3 "$here/measure.py" --tpreport "$tpreport" --scratch "$scratch" --runs "$runs" \
		--small "$root/examples/jax_cnn/input" "${more[@]}"
fi
