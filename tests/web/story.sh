#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The dashboard of a lake with an invented story (story.py), in a real browser: what a run on this machine may not have,
# such as GPUs, kills and containers. TRACER_BUILD: the build folder. TRACER_LONG=1: with pictures.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${TRACER_BUILD:-$root/build/debug}
work=$(mktemp -d "${TMPDIR:-/tmp}/tracer-story.XXXXXX")
"$build/tracer-lake" --listen 127.0.0.1:0 --data-folder "$work/lake" --tokens-folder "$work/tokens" --url-file "$work/url" \
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
"$here/story.py" "$url" "$work/tokens"
link=$(curl -sf -m 30 -X POST -H "Authorization: Bearer $(cat "$work/tokens/admin")" "$url/api/v1/login-links" | jq -er .url)
TRACER_RUN=story TRACER_SEND_RUN="$here/one_run.py $url $work/tokens" TRACER_PROGRAM=$build/tracer TRACER_TOKEN_FILE=$work/tokens/read \
	"$here/dashboard.sh" "$link" "${TRACER_LONG:+$root/build/screenshots-story}" "$root/build/web-test"
