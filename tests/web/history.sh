#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pages that rest on the history of a pipeline, in a real browser: the lake holds the same recorded run several times.
# TRACER_BUILD: the build folder. TRACER_LONG=1: with pictures.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${TRACER_BUILD:-$root/build/debug}
work=$(mktemp -d "${TMPDIR:-/tmp}/tracer-history.XXXXXX")
"$build/tracer-lake" --listen 127.0.0.1:0 --data-folder "$work/lake" --tokens-folder "$work/tokens" --url-file "$work/url" --settle-after 1s \
	2>"$work/log" &
lake=$!
clean_up() {
	local status=$?
	[ "$status" = 0 ] || tail -n 20 "$work/log" >&2
	kill "$lake"
	wait "$lake" || echo "the lake ended with $?" >&2
	rm -rf "$work"
	exit "$status"
}
trap clean_up EXIT
for _ in $(seq 600); do
	[ -s "$work/url" ] && break
	sleep 0.1
done
[ -s "$work/url" ] || { echo "waited 60 s for the lake's URL" >&2; exit 1; }
url=$(cat "$work/url")
for _ in 1 2 3 4 5; do
	"$build/tracer" replay --now "$root/tests/data/runs/demo.rec" --lake "$url" --token-file "$work/tokens/admin" >"$work/said" 2>&1 ||
		{ cat "$work/said" >&2; exit 1; }
done
link=$(curl -sf -m 30 -X POST -H "Authorization: Bearer $(cat "$work/tokens/admin")" "$url/api/v1/login-links" | jq -er .url)
TRACER_PIPELINE=demo TRACER_TESTS=history.test.mjs \
	"$here/dashboard.sh" "$link" "${TRACER_LONG:+$root/build/screenshots-history}" "$root/build/web-test"
