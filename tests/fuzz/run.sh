#!/usr/bin/env bash
# Runs every fuzz target in turn and counts what was tried: tests/fuzz/run.sh SECONDS [TARGET…]
#
# SECONDS is for each target. Build first: cmake --preset fuzz && cmake --build --preset fuzz. What libFuzzer learns is kept in
# build/fuzz/learnt/<target>, what breaks a target in build/fuzz/found. Exit status 1 when a target broke.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

seconds=${1:?how many seconds for each target}
shift
if [ $# -eq 0 ]; then
	for file in tests/fuzz/fuzz_*.c; do
		name=${file##*/fuzz_}
		set -- "$@" "${name%.c}"
	done
fi
mkdir -p build/fuzz/found
# What fontconfig and pango keep until the end is no leak of ours.
export LSAN_OPTIONS=suppressions=$PWD/tests/support/lsan.supp:print_suppressions=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

total=0
broken=0
for name in "$@"; do
	learnt=build/fuzz/learnt/$name
	mkdir -p "$learnt"
	said=
	if ! "build/fuzz/tests/fuzz_$name" -max_total_time="$seconds" -rss_limit_mb=4096 -print_final_stats=1 \
		-artifact_prefix="build/fuzz/found/$name-" "$learnt" "tests/fuzz/corpus/$name" >"$log" 2>&1; then
		broken=1
		said="  BROKEN: $(grep -m 1 -E 'ERROR|SUMMARY|runtime error' "$log" || tail -n 1 "$log")"
	fi
	count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	total=$((total + ${count:-0}))
	printf '%-12s %12d%s\n' "$name" "${count:-0}" "$said"
done
printf '%-12s %12d\n' total "$total"
exit "$broken"
