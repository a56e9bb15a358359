#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The figures of every recorded run (tests/data/runs): `tracer report`, the API and the page of one lake, compared (figures.sh).
# TRACER_BUILD: the build folder.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR
# shellcheck source=tests/web/lake.sh
source "$(dirname "${BASH_SOURCE[0]}")/lake.sh" --settle-after 1s
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
# settled COUNT: the lake has stored what it says of so many runs.
settled() {
	[ "$(curl -fsS -H "Authorization: Bearer $(cat "$work/tokens/read")" "$url/metrics" |
		sed -n 's/^tracer_lake_settled_runs_total //p')" -ge "$1" ]
}
for _ in $(seq 360); do
	settled "${#pids[@]}" && break
	sleep 0.5
done
settled "${#pids[@]}" || { echo "waited 180 s until all runs are settled" >&2; exit 1; }
"$here/figures.sh" "$build/tracer" "$url" "$work/tokens" "$root/build/web-test"
