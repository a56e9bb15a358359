#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every recorded run, replayed into one lake: its report has the shape that is promised, and the totals, steps, tasks and events
# that tests/data/runs/NAME.expected says. Replayed again it changes nothing; recorded from there and replayed it is the same.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"

runs=$root/tests/data/runs
tracer up --replay --port 0 >"$work/up"
grep -q "RECORDED run" "$work/up" || fault "tracer up --replay does not say what is shown: $(cat "$work/up")"

# same WHAT REPORT NAME: what the report shows is what is expected of that run; totals that came since are no fault, nor is a nano-dollar of its
# cost: rounding depends on where in an hour a run lies.
same() {
	jq -f "$runs/expected.jq" "$2" | jq -S --slurpfile expected "$runs/$3.expected" \
		'.totals |= with_entries(select(.key | in($expected[0].totals))) | $expected[0].totals.cost_usd as $cost |
			if ((.totals.cost_usd // 0) - ($cost // 0) | fabs) < 2e-9 then .totals.cost_usd = $cost else . end' >"$work/shown"
	cmp -s "$runs/$3.expected" "$work/shown" || fault "$1: $(diff "$runs/$3.expected" "$work/shown")"
	echo "ok: $1"
}

# Within a millisecond: wall_s is of two clocks, the classes are of one.
# shellcheck disable=SC2016
adds_up='[.tasks[] | select(.wall_s != null and .wall_computing_ns != null)
	| ([to_entries[] | select(.key | test("^wall_.*_ns$")) | select(.key | IN("wall_serial_ns", "wall_assumed_ns") | not).value] | add) - .wall_s * 1e9
	| fabs < 1e6] | all'

# The same of the critical path: of each link, of all links together, and of the whole run.
# shellcheck disable=SC2016
path_adds_up='def classes: [to_entries[] | select(.key | test("^wall_.*_ns$")) | select(.key | IN("wall_serial_ns", "wall_assumed_ns") | not).value] | add;
	def close: fabs < 1e6;
	.dataflow.critical_path | . == null or (
		([.links[] | (classes - .running_s * 1e9 | close) and .wall_assumed_ns <= classes + 1e6] | all) and
		(classes - .running_s * 1e9 | close) and
		(classes + (.waiting_s + .before_s + .after_s - .wall_s) * 1e9 | close))'

count=0
for file in "$runs"/*.rec; do
	name=$(basename "$file" .rec)
	tracer replay --json "$file" >"$work/replayed"
	expect "$name: all of it is new to the lake, none of it is missing" '.batches > 0 and .duplicates == 0 and .missing_batches == 0' \
		"$work/replayed"
	run=$(jq -r .run "$work/replayed")
	tracer report "$run" --json >"$work/report"
	expect_shape "$work/report" tools processes
	same "$name: the report is as expected" "$work/report" "$name"
	expect "$name: it says that it is recorded" '.run.labels.recorded != null' "$work/report"
	expect "$name: the wall time of each task is in its classes" "$adds_up" "$work/report"
	expect "$name: the running time of the critical path is in its classes" "$path_adds_up" "$work/report"
	count=$((count + 1))
done
[ "$count" -gt 0 ] || fault "there are no recordings in $runs"

tracer replay --json "$runs/demo.rec" >"$work/replayed"
expect "replayed again, all of it is there already" '.batches == .duplicates' "$work/replayed"
run=$(jq -r .run "$work/replayed")
tracer report "$run" --json >"$work/report"
same "demo: and nothing has changed" "$work/report" demo

tracer replay --now --json "$runs/demo.rec" >"$work/replayed"
moved=$(jq -r .run "$work/replayed")
[ "$moved" != "$run" ] || fault "a run that was moved to now is not one of its own"
tracer report "$moved" --json >"$work/report"
same "demo: moved to now, it is the same" "$work/report" demo
expect "and ended within the last two minutes" '(now - (.run.ended_at[:19] + "Z" | fromdate)) | . > -5 and . < 120' "$work/report"

tracer record -o "$work/again.rec" "$moved"
[ "$(tracer record -o "$work/again.rec" "$moved" 2>&1)" = "tracer record: $work/again.rec exists: --force replaces it" ] ||
	fault "a file that is there is overwritten, or not in words"
tracer replay --json "$work/again.rec" >"$work/replayed"
tracer report "$(jq -r .run "$work/replayed")" --json >"$work/report"
same "demo: recorded and replayed, it is the same" "$work/report" demo

head -c 20000 "$runs/demo.rec" >"$work/cut.rec"
before=$(tracer runs --json | jq '.runs | length')
! tracer replay "$work/cut.rec" 2>"$work/error" || fault "a file that is cut is replayed"
grep -q "the recording is cut" "$work/error" || fault "what is wrong with a cut file is not said: $(cat "$work/error")"
[ "$(tracer runs --json | jq '.runs | length')" = "$before" ] || fault "a file that is cut was replayed in part"
echo "ok: a file that is cut is refused before any of it is sent"
