#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Recorded runs, compared with each other: the parts add up to the difference of the wall times, to
# the ns; a run compared with itself of another day has no difference; the screen fits 80 x 24; what cannot be compared is said.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

settled_lake
mapfile -t ids < <(sort -u "$work/ids")
[ "${#ids[@]}" -gt 1 ] || fault "there are no recordings in $runs"

# shellcheck disable=SC2016
adds_up='(.difference_ns == .to.wall_ns - .from.wall_ns)
	and (.difference_ns == ([.parts[].difference_ns] | add // 0))
	and (.difference_ns == ([.steps[].difference_ns] | add // 0) + .engine.difference_ns)
	and ([.steps[] as $step | ([.parts[] | select(.step == $step.name) | .difference_ns] | add // 0) == $step.difference_ns] | all)
	and ([.from, .to] | all(.status != "running"))'
count=0
for from in "${ids[@]}"; do
	# Each with the one after it (in the long form with the three after it): every run is in two comparisons.
	for k in 1 $(! long || echo 2 3); do
		to=${ids[$(((count + k) % ${#ids[@]}))]}
		api "/runs/$to/diff?with=$from" >"$work/diff"
		jq -e "$adds_up" "$work/diff" >/dev/null || fault "$from to $to does not add up: $(jq -c '{from, to, difference_ns, engine, parts}' "$work/diff")"
	done
	count=$((count + 1))
done
echo "ok: the parts of the comparisons of $count runs add up"

COLUMNS=80 tracer diff "${ids[0]}" "${ids[1]}" >"$work/screen"
[ "$(wc -L <"$work/screen")" -le 80 ] || fault "a line of more than 80 columns: $(cat "$work/screen")"
grep -q '^WHERE THE DIFFERENCE IS' "$work/screen" || fault "no parts: $(cat "$work/screen")"
tracer diff --json "${ids[0]}" "${ids[1]}" >"$work/diff"
expect "--json is the answer of the lake" "$adds_up" "$work/diff"

tracer replay --now --json "$runs/demo.rec" >"$work/replayed"
demo=$(tracer replay --json "$runs/demo.rec" | jq -r .run)
tracer diff --json "$demo" "$(jq -r .run "$work/replayed")" >"$work/diff"
expect "demo and demo of another day: nothing changed" '.difference_ns == 0 and .parts == [] and ([.steps[].change] | all(. == "same"))
	and .differs == [] and ([.steps[].state] | all(. == "both"))' "$work/diff"
tracer diff --json demo >"$work/previous"
expect "without FROM it is the run before of the same pipeline" '.from.pipeline == "demo" and .to.pipeline == "demo" and .from.id != .to.id' "$work/previous"

# Runs with a known cause beside the same work without it (tests/data/runs/causes): the largest part is of the class of that cause.
while read -r cause factor; do
	from=$(tracer replay --json "$runs/causes/${cause}_clean.rec" | jq -r .run)
	to=$(tracer replay --json "$runs/causes/$cause.rec" | jq -r .run)
	tracer diff --json "$from" "$to" >"$work/diff"
	jq -e "$adds_up" "$work/diff" >/dev/null || fault "$cause does not add up: $(jq -c .parts "$work/diff")"
	seen=$(jq -r '.parts | max_by(.difference_ns).factor' "$work/diff")
	[ "$seen" = "$factor" ] || fault "$cause: the largest part is $seen, not $factor: $(jq -c .summary "$work/diff")"
done <<-END
	cpu_hog_0 runnable
	cpu_limit_0 runnable
	idle_pool_0 sleep
	memory_short_0 paging
	oversubscribed_0 parallel
	reclaim_storm_0 paging
	sleep_loop_0 sleep
	slow_disk_0 disk
END
echo "ok: of runs with a known cause the largest part is of its class"

status=0
tracer diff "$demo" "$demo" 2>"$work/error" || status=$?
[ "$status" = 2 ] || fault "a run compared with itself ends with $status"
status=0
tracer diff nope "$demo" 2>"$work/error" || status=$?
[ "$status" = 3 ] || fault "no such run ends with $status"
grep -q '"nope"' "$work/error" || fault "which run is not there is not said: $(cat "$work/error")"
echo "ok: what cannot be compared is said"
