#!/bin/sh
# gate.sh LOGDIR BUDGET OUT [BASELINE…]: what a CI job does with a profile. Writes into OUT
#   report.html, report.pdf   to read and to attach
#   check.junit.xml           for the CI server, a test case a limit
#   check.md                  for the job's summary or a comment
#   run.tps                   to keep: a baseline of later jobs
# and exits as `tpreport check` does: 0 within the budget, 1 outside, 6 cannot be judged. Baselines are run.tps files of earlier jobs,
# the newest last; from three on the noise between runs is known.
set -eu
logdir=$1 budget=$2 out=$3
shift 3
mkdir -p "$out"
tpreport -q "$logdir" -o "$out/report.html" -o "$out/report.pdf" -o "$out/run.tps"
set -- -q "$logdir" --budget "$budget" -o "$out/check.junit.xml" -o "$out/check.md" ${1:+--baseline "$@"}
exec tpreport check "$@"
