#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the figures of every run of a lake: `tracer report`, the API, the page in a real browser.
#     tests/web/figures.sh TRACER URL TOKENS_FOLDER [WORK_FOLDER]
set -eu

if [ $# -lt 3 ] || [ $# -gt 4 ]; then
	echo "usage: $0 TRACER URL TOKENS_FOLDER [WORK_FOLDER]" >&2
	exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
token=$(realpath "$3/read")
link=$(curl -sf -m 30 -X POST -H "Authorization: Bearer $(cat "$3/admin")" "$2/api/v1/login-links" | jq -er .url)
TRACER_PROGRAM=$program TRACER_TOKEN_FILE=$token TRACER_TESTS=figures.test.mjs \
	exec "$here/dashboard.sh" "$link" "" ${4:+"$4"}
