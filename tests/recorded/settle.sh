#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# settle.sh FOLDER: makes the lake that lib.sh copies: FOLDER/data with every recording, settled, and FOLDER/ids with their runs.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

made=${1:?settle.sh needs a folder}
rm -rf "$made"
export TRACER_SETTLE_AFTER=1s
tracer up --replay --port 0 >"$work/up"
for file in "$runs"/*.rec; do tracer replay --json "$file" | jq -r .run; done >"$work/ids"
[ -s "$work/ids" ] || fault "there are no recordings in $runs"

# Those that the lake has settled, and those that it holds.
settled() { curl -fsS "$(cat "$TRACER_DATA/lake.url")/metrics" -H "Authorization: Bearer $(cat "$TRACER_DATA/tokens/read")" |
	sed -n 's/^tracer_lake_settled_runs_total //p'; }
all_settled() { [ "$(settled)" -ge "$(tracer runs --json | jq '.runs | length')" ]; }
wait_for "all runs are settled" all_settled
tracer down >/dev/null
mkdir -p "$made"
cp -a "$TRACER_DATA" "$made/data"
cp "$work/ids" "$made/ids"
echo "ok: $(wc -l <"$made/ids") recordings are settled"
