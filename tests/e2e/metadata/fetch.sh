#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches moto, with a metadata service as AWS's that a test asks, from PyPI into a virtual environment, build/moto: the versions of
# requirements.txt, with their hashes. Nothing is installed. (Compiled is what is imported, a small part.)
set -euo pipefail
cd "$(dirname "$0")/../../.."

list=tests/e2e/metadata/requirements.txt
if cmp -s "$list" build/moto/fetched; then exit 0; fi
rm -rf build/moto
tests/pip.sh build/moto install --no-compile --no-deps --require-hashes --only-binary :all: --requirement "$list"
cp "$list" build/moto/fetched
