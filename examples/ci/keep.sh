#!/bin/sh
# keep.sh OUT BASELINES NAME: what a job of the main branch does after a gate that was passed. The run becomes a baseline, named after the
# time and NAME, a commit say; of all baselines the newest ten stay.
set -eu
out=$1 baselines=$2 name=$3
mkdir -p "$baselines"
cp "$out/run.tps" "$baselines/$(date -u +%Y%m%dT%H%M%S)-$name.tps"
# Names begin with the time, so the oldest come first.
set -- "$baselines"/*.tps
while [ $# -gt 10 ]; do
	rm "$1"
	shift
done
