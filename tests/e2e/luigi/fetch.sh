#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches Luigi, the real one that a test drives, from PyPI into a virtual environment, build/luigi: the versions of
# requirements.txt. Nothing is installed.
set -euo pipefail
cd "$(dirname "$0")/../../.."

list=tests/e2e/luigi/requirements.txt
if cmp -s "$list" build/luigi/fetched; then exit 0; fi
rm -rf build/luigi
tests/pip.sh build/luigi install --no-deps --requirement "$list"
cp "$list" build/luigi/fetched
