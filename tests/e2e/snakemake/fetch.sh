#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches Snakemake 9, which a test drives beside Debian's 7, from PyPI into a virtual environment, build/snakemake9: the
# files of requirements.txt, each once its checksum is the one written there. Made again when that list or the place
# has changed.
set -euo pipefail
cd "$(dirname "$0")/../../.."

list=$PWD/tests/e2e/snakemake/requirements.txt
place=$PWD/build/snakemake9
if cmp -s "$list" "$place/requirements.txt" && "$place/bin/snakemake" --version >/dev/null; then
	exit 0
fi
rm -rf "$place"
tests/pip.sh "$place" install --no-deps --require-hashes --requirement "$list"
cp "$list" "$place/"
