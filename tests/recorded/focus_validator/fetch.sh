#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches the validator of the FOCUS project from PyPI into a virtual environment, build/focus_validator: the files of
# requirements.txt, each once its checksum is the one written there. Made again when that list or the place has changed.
# (Compiled is what is imported, a small part: to compile all takes 10 s of a CPU.)
set -euo pipefail
cd "$(dirname "$0")/../../.."

list=$PWD/tests/recorded/focus_validator/requirements.txt
place=$PWD/build/focus_validator
if cmp -s "$list" "$place/requirements.txt" && "$place/bin/focus-validator" --supported-versions >/dev/null; then
	exit 0
fi
rm -rf "$place"
install() { tests/pip.sh "$place" install --no-compile --no-deps --no-build-isolation --require-hashes --requirement "$1"; }
install <(grep -vE '^(focus-validator|pandasql)==' "$list") # with which these two are built from source
install "$list"
cp "$list" "$place/"
