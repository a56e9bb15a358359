#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The figures of every recorded run (tests/data/runs): `tracer report`, the API and the page of one lake, compared (figures.sh).
# TRACER_BUILD: the build folder.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${TRACER_BUILD:-$root/build/debug}
work=$(mktemp -d "${TMPDIR:-/tmp}/tracer-figures.XXXXXX")
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
[ -s "$work/url" ] || { echo "the lake did not write its URL within 60 s" >&2; exit 1; }
url=$(cat "$work/url")
replay() { # RECORDING
	"$build/tracer" replay "$1" --lake "$url" --token-file "$work/tokens/admin" >"$work/said.$(basename "$1")" 2>&1 ||
		{ cat "$work/said.$(basename "$1")" >&2; return 1; }
}
pids=()
for recorded in "$root"/tests/data/runs/*.rec; do
	replay "$recorded" &
	pids+=($!)
done
for pid in "${pids[@]}"; do
	wait "$pid"
done
"$here/figures.sh" "$build/tracer" "$url" "$work/tokens" "$root/build/web-test"
