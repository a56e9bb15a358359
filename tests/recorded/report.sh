#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every recorded run, in one lake: the first screen of its report has at most 24 lines of at most 80 columns, begins with the
# verdict and shows its findings and steps; --full has the tables. Lists fold what is expected.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

settled_lake

# fits WHAT FILE: it fits a terminal of 80 x 24. (wc -L counts the columns that a terminal shows.)
fits() {
	[ "$(wc -l <"$2")" -le 24 ] || fault "$1: more than 24 lines: $(cat "$2")"
	[ "$(wc -L <"$2")" -le 80 ] || fault "$1: a line of more than 80 columns: $(cat "$2")"
}
# has WHAT FILE LINE…: a line begins so.
has() {
	local what=$1 file=$2 line
	shift 2
	for line in "$@"; do grep -qE "^$line" "$file" || fault "$what: no line \"$line\": $(cat "$file")"; done
}

while read -r run; do
	tracer report "$run" --json >"$work/report"
	name=$(jq -r .run.name "$work/report")
	COLUMNS=80 tracer report "$run" >"$work/screen"
	fits "$name" "$work/screen"
	verdict=$(jq -r '.verdict.text // ""' "$work/report")
	[ -z "$verdict" ] || [[ $verdict == "$(head -n 1 "$work/screen" | sed 's/…$//')"* ]] || fault "$name: the verdict is not on top: $(cat "$work/screen")"
	has "$name" "$work/screen" '(Succeeded|Failed|Killed|Running|Stalled|Lost)' Run Findings 'WHERE TIME WENT'
	# Each step is there, or counted.
	shown=$(sed '1,/^WHERE TIME WENT/d' "$work/screen" | grep -cE '^(  |! )[^ …].*  [█▓░DPN<>LEOCS? ]{25}  ' || true)
	more=$(sed -nE 's/^  … and ([0-9]+) more (step|tool).*/\1/p' "$work/screen")
	steps=$(jq '.steps | length' "$work/report")
	[ "$steps" = 0 ] || [ $((shown + ${more:-0})) = "$steps" ] || fault "$name: $shown steps and ${more:-0} more of $steps: $(cat "$work/screen")"

	# Its paths are those of another host.
	tracer report "$run" --logs >"$work/logs"
	! grep -q '^    ' <(sed '1,/^Log of /d' "$work/logs") || fault "$name: a file of this host is taken for its log: $(cat "$work/logs")"

	tracer report "$run" --full >"$work/tables"
	has "$name" "$work/tables" Run Findings 'WHERE TIME WENT' 'TIME OF THREADS' 'STEP ' 'TASK OF STEP ' 'TOOL ' 'FILE '

	tracer events "$run" --json >"$work/events" || [ $? = 3 ]
	expected=$(jq '[.events[] | select(.expected // .routine)] | length' "$work/events")
	tracer events "$run" >"$work/listed" 2>/dev/null || [ $? = 3 ]
	tracer events "$run" --all >"$work/all" 2>/dev/null || [ $? = 3 ]
	[ "$(grep -cE '^[0-9]+ expected failures? ' "$work/listed")" = $((expected > 0)) ] || fault "$name: $expected are expected: $(cat "$work/listed")"
	[ "$(grep -cE '^[0-9]{2}-[0-9]{2} ' "$work/all" || true)" = "$(jq '.events | length' "$work/events")" ] || fault "$name: --all does not list all: $(cat "$work/all")"
	[ "$(grep -cE '^[0-9]{2}-[0-9]{2} ' "$work/listed" || true)" = $(($(jq '.events | length' "$work/events") - expected)) ] ||
		fault "$name: $expected are expected: $(cat "$work/listed")"
done <"$work/ids"
echo "ok: the report of $(wc -l <"$work/ids") runs fits 80 x 24; --full has the tables; expected events are folded"

tracer runs >"$work/runs"
has "tracer runs" "$work/runs" 'RUN +STATUS +TIME +VERDICT '
echo "ok: the list of runs has their verdicts"
