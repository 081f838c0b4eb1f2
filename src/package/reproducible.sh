#!/usr/bin/env bash
# Whether two builds in different folders give the same bytes: program, deb, folder and wheel. Takes as long as six builds; a compiler cache that is set by
# CMAKE_C_COMPILER_LAUNCHER would hide differences, so it is not used.
#
#     src/package/reproducible.sh
#
# Needs what wheel.sh, tarball.sh and cpack need.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CMAKE_C_COMPILER_LAUNCHER
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# packages_in FOLDER: what is packed from the last commit there, in FOLDER/dist.
packages_in() {
	mkdir -p "$1"
	git archive HEAD | tar x -C "$1"
	(
		cd "$1"
		src/package/wheel.sh dist
		src/package/tarball.sh dist
		cmake --preset release -DCMAKE_INSTALL_PREFIX=/usr
		cmake --build --preset release --parallel 2
		cpack --config build/release/CPackConfig.cmake -G DEB -B dist
		cp build/release/tpreport dist/
		rm -rf dist/_CPack_Packages
	) >"$work/log" 2>&1 || {
		tail -n 40 "$work/log" >&2
		exit 1
	}
}

packages_in "$work/one"
packages_in "$work/another-folder-with-a-longer-name/in-it"
if ! diff --recursive --brief "$work/one/dist" "$work/another-folder-with-a-longer-name/in-it/dist"; then
	echo "two builds differ; diffoscope shows where" >&2
	exit 1
fi
echo "the same in both folders: $(ls "$work/one/dist" | tr '\n' ' ')"
