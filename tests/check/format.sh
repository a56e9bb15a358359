#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every C file as clang-format would write it: format.sh ROOT
set -euo pipefail
cd "$1"
mapfile -t files < <(git ls-files '*.c' '*.h')
[ "${#files[@]}" -gt 100 ] || { echo "only ${#files[@]} C files: is this a checkout?" >&2; exit 1; }
clang-format --dry-run -Werror "${files[@]}"
