#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches reuse, which checks the licence of every file, from PyPI into a virtual environment, build/reuse: the versions of
# requirements.txt. Nothing is installed.
set -euo pipefail
cd "$(dirname "$0")/../../.."

list=tests/check/reuse/requirements.txt
if cmp -s "$list" build/reuse/fetched; then exit 0; fi
rm -rf build/reuse
tests/pip.sh build/reuse install --no-deps --requirement "$list"
cp "$list" build/reuse/fetched
