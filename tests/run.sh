#!/usr/bin/env bash
# All tests, from a fresh Debian 12: installs what is missing, builds with sanitizers, runs everything.
#
#     tests/run.sh [CTEST OPTION...]      for example: tests/run.sh -R unit
#
# With TPREPORT_TEST_DATA set to a folder of large captures, the tests that need them run too. Tests that could try very much try a
# part of it: TPREPORT_ALL=1 tries all, TPREPORT_SEED=N another part. What was not run is listed at the end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=examples/packages.sh
source examples/packages.sh

test_packages=(
	libcmocka-dev python3 python3-selenium chromium-driver chromium
	poppler-utils qpdf libxml2-utils
	mandoc zsh fish
)
install_missing "${build_packages[@]}" "${test_packages[@]}"
cmake --preset asan
cmake --build --preset asan

# One more than there are processors: a test that drives a browser or a server often waits.
log=build/asan/ctest.log
status=0
ctest --test-dir build/asan --output-on-failure --no-tests=error --parallel $(($(nproc) + 1)) "$@" </dev/null | tee "$log" || status=$?

python3 tests/support/left_out.py build/asan/Testing/Temporary/LastTest.log "$log"
exit "$status"
