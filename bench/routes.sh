#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How fast the lake answers about a run of COUNT tool executions: each route of a run is requested several times, and the
# fastest answer must be within its bar (what else runs here only adds to it). Prints a table, with the CPU time that an
# answer took; exit 1 when a row misses.
#
#     bench/routes.sh [COUNT]        default 200000
#
# TRACER_BUILD names another build folder (default build/release).
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

build=${TRACER_BUILD:-$root/build/release}
[ -x "$build/tracer-lake" ] || { install_packages build; fetch_libraries; build release tracer-lake; }
work=$(mktemp -d)
"$build/tracer-lake" --listen 127.0.0.1:0 --data-folder "$work/lake" --tokens-folder "$work/tokens" \
	--url-file "$work/url" 2>"$work/log" &
lake=$!
trap 'kill $lake; wait; rm -rf "$work"' EXIT
for _ in $(seq 100); do
	[ -s "$work/url" ] && break
	sleep 0.1
done
"$root/bench/routes.py" "$(cat "$work/url")" "$work/tokens" "${1:-200000}" "$lake"
