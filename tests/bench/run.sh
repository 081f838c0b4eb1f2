#!/usr/bin/env bash
# Measures tpreport beside its peers on large profiles made here; a benchmark, never a test.
#
#     tests/bench/run.sh [--make] [--install-peer] [--measure] [OPTION...]
#
#     --make            make the large profiles in the scratch directory
#     --install-peer    install the peer from PyPI into a virtual environment of its own there: xprof,
#                       torch-tb-profiler or tensorboard
#     --kind KIND       xplane (default): two XLA profiles beside xprof; torch: a PyTorch trace of 1.28 million events, 481 MB,
#                       plain and packed, beside torch-tb-profiler; events: an event file of 616,501 records, 192 MB, beside
#                       TensorBoard's loader
#     --measure         run both in turn and print the tables
#     --scratch DIR     where all of that goes (TPREPORT_BENCH, or /tmp/tpreport-bench)
#     --tpreport FILE   the program (build/release/tpreport)
#     --size MB         how large each profile is (150)
#     --runs N          how often each runs (3)
#     --from TRACE      torch: repeat this trace instead of one step of ResNet-18
#     --timeline        let the peer make its timeline too
#     --no-peer         only tpreport
#
# Without --make, --install-peer and --measure it says what is there and what is missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

kind=xplane
scratch=${TPREPORT_BENCH:-${TMPDIR:-/tmp}/tpreport-bench}
tpreport=$root/build/release/tpreport
size=150
runs=3
from=()
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
	--scratch | --tpreport | --size | --runs | --kind | --from)
		if [ $# -lt 2 ]; then
			echo "$1 needs a value" >&2
			exit 2
		fi
		case $1 in
		--scratch) scratch=$2 ;;
		--tpreport) tpreport=$2 ;;
		--size) size=$2 ;;
		--runs) runs=$2 ;;
		--kind) kind=$2 ;;
		--from) from=(--from "$2") ;;
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
case $kind in
xplane)
	inputs=(big-jax-cpu big-tpu) peer_folder=peer
	peer_package=xprof peer_version=2.24.2 peer_module=xprof.convert.raw_to_tool_data peer_size='about 400 MB'
	;;
torch)
	inputs=(torch-plain torch-gz) peer_folder=peer-torch
	peer_package=torch-tb-profiler peer_version=0.4.3 peer_module=torch_tb_profiler.profiler.data peer_size='about 300 MB'
	;;
events)
	inputs=(events) peer_folder=peer-events
	peer_package=tensorboard peer_version=2.21.0 peer_module=tensorboard.backend.event_processing.event_accumulator
	peer_size='about 180 MB'
	;;
*)
	echo "unknown kind '$kind'; there are xplane, torch and events" >&2
	exit 2
	;;
esac
peer=$scratch/$peer_folder/bin/python

has_peer() {
	[ -x "$peer" ] && "$peer" -c "import $peer_module" 2>/dev/null
}

# make_input NAME: the large profile in the scratch directory, and beside it what is in it as JSON.
make_input() {
	local to=$scratch/$1
	echo "making $to" >&2
	rm -rf "$to" "$to.json"
	case $1 in
	torch-plain)
		mkdir -p "$to"
		python3 "$here/make_big_torch.py" "$to/long.1.pt.trace.json" "${from[@]}" >"$to.json.part"
		;;
	events)
		mkdir -p "$to"
		python3 "$here/make_big_events.py" "$to/events.out.tfevents.1551710000.bench" >"$to.json.part"
		;;
	torch-gz)
		mkdir -p "$to"
		gzip -c "$scratch/torch-plain/long.1.pt.trace.json" >"$to/long.1.pt.trace.json.gz"
		cp "$scratch/torch-plain.json" "$to.json.part"
		;;
	*)
		python3 "$here/make_big_xplane.py" "$to" --kind "${1#big-}" --size "$size" >"$to.json.part"
		;;
	esac
	mv "$to.json.part" "$to.json"
}

if $make; then
	mkdir -p "$scratch"
	for input in "${inputs[@]}"; do
		make_input "$input"
	done
fi

if $install_peer && ! has_peer; then
	mkdir -p "$scratch"
	# Where ensurepip is absent (Debian without python3-venv), virtualenv does the same.
	python3 -m venv "$scratch/$peer_folder" || python3 -m virtualenv "$scratch/$peer_folder"
	"$scratch/$peer_folder/bin/pip" install --quiet --disable-pip-version-check "$peer_package==$peer_version"
fi

missing=()
[ -x "$tpreport" ] || missing+=("the program, $tpreport: cmake --preset release && cmake --build --preset release")
for input in "${inputs[@]}"; do
	[ -e "$scratch/$input.json" ] || missing+=("$scratch/$input: --make")
done
if $with_peer && ! has_peer; then
	missing+=("the peer, $peer_package $peer_version, in $scratch/$peer_folder: --install-peer ($peer_size), or --no-peer")
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
	if [ "$kind" != xplane ]; then
		python3 "$here/measure_$kind.py" --tpreport "$tpreport" --scratch "$scratch" --runs "$runs" "${more[@]}"
	else
		python3 "$here/measure.py" --tpreport "$tpreport" --scratch "$scratch" --runs "$runs" \
			--small "$root/examples/jax_cnn/input" "${more[@]}"
	fi
fi
