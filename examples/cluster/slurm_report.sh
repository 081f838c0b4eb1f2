#!/bin/bash
# One report of many ranks under Slurm, or under GNU parallel where there is no Slurm job:
#
#     sbatch --ntasks=64 slurm_report.sh REPORT.html TRACE…      (or a file with a trace a line: @traces.txt)
#
# Each task summarises its share of the traces, then merges its share of the summaries, FAN at a time, until one is left. WORK is a folder that all
# nodes see; RANKS=0-511 says which ranks there should be; TPREPORT names the program. Exit status 1: a rank failed; the report names it.
set -euo pipefail
export TPREPORT=${TPREPORT:-tpreport} TRIES=3
FAN=${FAN:-16}

# One trace: its summary, or its name in `failed`.
summarize() { # TRACE OUT
	for _ in $(seq "$TRIES"); do "$TPREPORT" summarize -q "$1" -o "$2" && return; done
	echo "failed $TRIES times: $1" | tee "$2.failed" >&2
}
merge() { # OUT SUMMARY…
	"$TPREPORT" merge -q "${@:2}" -o "$1"
}
export -f summarize merge

# share LIST: under srun, every so many-th line of the list, as the task's number says.
share() {
	awk -v n="$SLURM_NTASKS" -v i="$SLURM_PROCID" 'NR % n == i' "$1" | bash -euo pipefail
}

# Runs the lines of a list, each a command, on all tasks.
run() {
	if [ -n "${SLURM_JOB_ID:-}" ]; then
		srun --kill-on-bad-exit=0 bash "$script" share "$1"
	else
		SHELL=/bin/bash parallel --will-cite --halt now,fail=1 <"$1"
	fi
}

if [ "$1" = share ]; then
	share "$2"
	exit
fi
report=$1 traces=("${@:2}")
case ${traces[0]} in @*) mapfile -t traces <"${traces[0]#@}" ;; esac
WORK=$(mktemp -d "${WORK:-$PWD}/tpreport.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
script=$WORK/script # Slurm's own copy is on one node alone
cp "$0" "$script"

for i in "${!traces[@]}"; do printf 'summarize %q %q\n' "${traces[i]}" "$WORK/0-$i.tps"; done >"$WORK/list"
run "$WORK/list"
left=("$WORK"/0-*.tps)
for ((level = 1; ${#left[@]} > 1; level++)); do
	for ((i = 0; i < ${#left[@]}; i += FAN)); do
		printf 'merge %q' "$WORK/$level-$i.tps" && printf ' %q' "${left[@]:i:FAN}" && echo
	done >"$WORK/list"
	run "$WORK/list"
	left=("$WORK/$level"-*.tps)
done
"$TPREPORT" merge -q "${left[0]}" ${RANKS:+--ranks "$RANKS"} -o "$report"
! compgen -G "$WORK/*.failed" >/dev/null
