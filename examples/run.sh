#!/usr/bin/env bash
# From a fresh Debian or Ubuntu to a report: installs what is missing, builds tpreport, reports an example.
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

say_system
install_missing "${build_packages[@]}"
cmake --preset release
cmake --build --preset release

build/release/tpreport "examples/$example/input" -o report.html -o report.pdf
cat <<END

The report of examples/$example:
  $PWD/report.html
  $PWD/report.pdf

Next, with your own log directory:
  $PWD/build/release/tpreport LOGDIR -o report.html

To call it tpreport from anywhere:
  sudo cmake --install build/release
END
