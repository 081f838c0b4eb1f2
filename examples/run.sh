#!/usr/bin/env bash
# From a fresh Debian 12 to a report: installs what is missing, builds tpreport, reports an example.
#
#     examples/run.sh [EXAMPLE]      EXAMPLE is a folder beside this script; jax_cnn when not given
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=examples/packages.sh
source examples/packages.sh

example=${1:-jax_cnn}
if [ ! -e "examples/$example/input" ]; then
	echo "no example called '$example'; there are:" >&2
	for input in examples/*/input; do
		basename "$(dirname "$input")" >&2
	done
	exit 2
fi

install_missing "${build_packages[@]}"
cmake --preset release
cmake --build --preset release

build/release/tpreport "examples/$example/input" -o report.html -o report.pdf
echo
echo "The report of examples/$example:"
echo "  $PWD/report.html"
echo "  $PWD/report.pdf"
