#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pages that rest on the history of a pipeline, in a real browser: the lake holds the same recorded run several times.
# TRACER_BUILD: the build folder. TRACER_LONG=1: with pictures.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR
# shellcheck source=tests/web/lake.sh
source "$(dirname "${BASH_SOURCE[0]}")/lake.sh" --settle-after 1s
for _ in 1 2 3 4 5; do
	"$build/tracer" replay --now "$root/tests/data/runs/demo.rec" --lake "$url" --token-file "$work/tokens/admin" >"$work/said" 2>&1 ||
		{ cat "$work/said" >&2; exit 1; }
done
link=$(curl -sf -m 30 -X POST -H "Authorization: Bearer $(cat "$work/tokens/admin")" "$url/api/v1/login-links" | jq -er .url)
TRACER_PIPELINE=demo TRACER_TESTS=history.test.mjs \
	"$here/dashboard.sh" "$link" "${TRACER_LONG:+$root/build/screenshots-history}" "$root/build/web-test"
