#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every recorded failure of tests/data/failures, replayed into one lake: what Tracer says of it is what the author of the case says.
# All differences are shown, not the first alone. A case costs the lake 0.7 s of CPU time: every fifth is looked at (of each
# interpreter some), all of them in the long form.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"

cases=$root/tests/data/failures
mkdir "$work/cases" "$work/answers"
awk -v folder="$work/cases" -f "$cases/cases.awk" "$cases"/*.cases >"$work/labels"
[ "$(wc -l <"$work/labels")" -ge 150 ] || fault "there are fewer than 150 cases"
if ! long; then
	awk 'NR % 5 == 1' "$work/labels" >"$work/some"
	mv "$work/some" "$work/labels"
fi
tracer up --replay --port 0 >/dev/null

# Both answers about each run, by one client: a program started for each would take most of the time.
lake_url=$(cat "$TRACER_DATA/lake.url")
while IFS=$'\t' read -r name _; do
	printf '"%s"\n' "$name"
	tracer replay --json "$cases/recordings/$name.rec"
done <"$work/labels" | jq -rs --arg lake "$lake_url" --arg folder "$work/answers" 'range(0; length; 2) as $i
	| .[$i] as $name | .[$i + 1].run as $run | ("findings", "events?limit=10000") as $list
	| "url = \"\($lake)/api/v1/runs/\($run)/\($list)\"\noutput = \"\($folder)/\($name).\($list | sub("[?].*"; "")).json\""' >"$work/questions"
curl -fsS -H "Authorization: Bearer $(cat "$TRACER_DATA/tokens/read")" --config "$work/questions"

jq -nr -f "$cases/compare.jq" --rawfile labels "$work/labels" "$work"/answers/*.json >"$work/differences"
[ ! -s "$work/differences" ] || fault "$(grep -c '^[a-z]' "$work/differences") cases are not as their labels say:
$(cat "$work/differences")"
echo "ok: $(wc -l <"$work/labels") cases are as their labels say"
