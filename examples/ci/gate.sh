#!/bin/sh
# gate.sh LOGDIR BUDGET OUT [BASELINES]: what a CI job does with a profile. Writes into OUT
#   report.html, report.pdf   to read and to attach; report.css, for servers that block styles within a page, as Jenkins does
#   check.junit.xml           for the CI server, a test case a limit
#   check.md                  for the job's summary or a comment
#   run.tps                   to keep: a baseline of later jobs (keep.sh)
# and exits as `tpreport check` does: 0 within the budget, 1 outside, 6 cannot be judged. BASELINES is a folder of run.tps files of earlier
# jobs; from three on the noise between runs is known. It may be empty or missing. MISSING=pass, for the main branch: what cannot be
# judged passes, for its first jobs make the baselines.
set -eu
logdir=$1 budget=$2 out=$3 baselines=${4:-}
mkdir -p "$out"
tpreport -q "$logdir" -o "$out/report.html" -o "$out/report.pdf" -o "$out/run.tps" --css-file "$out/report.css"
set -- "$baselines"/*.tps
[ -e "$1" ] || shift
exec tpreport check -q "$logdir" --budget "$budget" -o "$out/check.junit.xml" -o "$out/check.md" ${MISSING:+--missing="$MISSING"} ${1:+--baseline "$@"}
