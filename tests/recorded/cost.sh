#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The costs of every recorded run, in one lake: by every key they add up to the price of the hosts, to the nano-dollar; the cost of
# a run stays what it is; filters, CSV and the table.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cat >"$work/cost.yaml" <<'EOF2'
cost_centres:
  - name: genomics
    pipeline: "rnaseq*"
EOF2
chmod 644 "$work/cost.yaml"
export TRACER_COST_FILE=$work/cost.yaml
settled_lake
demo=$(tracer replay --json "$runs/demo.rec" | jq -r .run)

# cost OPTION…: what the lake says, as JSON; all recordings are within the days.
cost() { tracer cost --days 3650 --limit 10000 --json "$@"; }
# nusd FILTER [FILE]: an amount in whole nano-dollars.
nusd() { jq "$1 * 1e9 | round" "${2:-$work/cost}"; }
# same WHAT A B
same() { [ "$2" = "$3" ] || fault "$1: $2 and $3"; }
run_cost() { api "/runs/$1" | jq -c '.cost | [.whole_usd, .used_usd, .unused_usd, .idle_usd, .tasks_usd, .engine_usd] | map(. * 1e9 | round)'; }

tracer report "$demo" --json >"$work/report"
price=0.096
same "the demo costs price × time, if nothing else ran" "$(nusd .cost.whole_usd "$work/report")" \
	"$(jq "(.run.wall_s * $price / 3600) * 1e9 | round" "$work/report")"
# shellcheck disable=SC2016
expect "its parts add up to it, and so do its tasks and its engine" '.cost | map_values(if type == "number" then . * 1e9 | round else . end) |
	.used_usd + .unused_usd + .idle_usd == .whole_usd and .tasks_usd + .engine_usd == .whole_usd and all(.used_usd, .unused_usd,
	.idle_usd, .engine_usd; . > 0)' "$work/report"
before=$(run_cost "$demo")

while read -r run; do run_cost "$run" >>"$work/first"; done <"$work/ids"
same "the demo is among them" "$(grep -cxF "$before" "$work/first")" 1
tracer replay --now --json "$runs/nextflow.rec" | jq -r .run >>"$work/ids"
tail -n 1 "$work/ids" | { read -r run; run_cost "$run"; } >>"$work/first"
while read -r run; do run_cost "$run" >>"$work/again"; done <"$work/ids"
cmp -s "$work/first" "$work/again" || fault "once another run has come, runs cost something else: $(diff "$work/first" "$work/again")"
[ "$(jq -s 'map(select(.[0] > 0)) | length' "$work/first")" = "$(wc -l <"$work/ids")" ] || fault "a run costs nothing: $(cat "$work/first")"
while read -r run; do api "/runs/$run" | jq -c .cost.changes; done <"$work/ids" >"$work/changes"
same "changes of costs" "$(sort -u "$work/changes")" '[]'
echo "ok: what $(wc -l <"$work/ids") runs cost stays the same"

cost >"$work/cost"
whole=$(nusd .whole_usd)
keys=(host pipeline run step task tool sample user container pod day instance label:project cost_centre)
of_rule=("${keys[@]}")
for rule in held aws; do
	[ "$rule" = held ] || long || of_rule=(host run task tool)
	for key in "${of_rule[@]}"; do
		cost --by "$key" --split $rule >"$work/cost"
		same "by $key, $rule: the whole" "$(nusd .whole_usd)" "$whole"
		jq -e 'def n: . * 1e9 | round; (.rows | length) == .row_count and .row_count > 0 and
			([.rows[].cost_usd | n] | add) + (.unallocated_usd | n) == (.whole_usd | n) and
			all(.rows[]; (.used_usd | n) + (.unused_usd | n) + (.idle_usd | n) == (.cost_usd | n)) and
			all(.rows[]; .used_usd >= 0 and .unused_usd >= 0 and .idle_usd >= 0)' "$work/cost" >/dev/null ||
			fault "by $key, $rule: it does not add up: $(jq -c 'del(.rows)' "$work/cost")"
		cost --by "$key" --split $rule --over hour >"$work/series"
		jq -e 'def n: . * 1e9 | round; ([.series[].cost_usd | n] | add) == (.whole_usd | n)' "$work/series" >/dev/null ||
			fault "by $key, $rule: the hours do not add up: $(jq -c 'del(.rows)' "$work/series")"
		tracer cost --days 3650 --limit 10000 --by "$key" --split $rule --csv >"$work/csv"
		same "by $key, $rule: lines of CSV" "$(wc -l <"$work/csv")" "$(jq '.rows | length + 1' "$work/cost")"
	done
	echo "ok: by ${#of_rule[@]} keys, $rule: rows and what no run held add up to $whole nano-dollars, all hours too"
done

# sum OPTION…: of the rows.
sum() { cost "$@" | jq '[.rows[].cost_usd * 1e9 | round] | add // 0'; }
cost --by pipeline >"$work/pipelines"
same "--pipeline" "$(sum --by step --pipeline demo)" "$(jq '[.rows[] | select(.key == "demo").cost_usd * 1e9 | round] | add' "$work/pipelines")"
same "--run, by its id" "$(sum --by tool --run "$demo")" "$(jq '.[0]' <<<"$before")"
same "--run, by its name" "$(sum --by tool --run happy_darwin)" "$(cost --by run | jq '.rows[] | select(.key == "happy_darwin").cost_usd * 1e9 | round')"
same "--step" "$(sum --by task --run "$demo" --step call)" "$(cost --by step --run "$demo" | jq '.rows[] | select(.key == "call").cost_usd * 1e9 | round')"
cost --by task --run "$demo" --step call >"$work/cost"
task=$(jq -r '.rows[0].id' "$work/cost")
same "--task" "$(sum --by tool --task "$task")" "$(nusd '.rows[0].cost_usd')"
cost --by sample >"$work/cost"
sample=$(jq -r '[.rows[].key | select(. != "")][0]' "$work/cost")
same "--sample" "$(sum --by task --sample "$sample")" "$(jq --arg key "$sample" '.rows[] | select(.key == $key).cost_usd * 1e9 | round' "$work/cost")"
same "--user" "$(sum --by run --user root)" "$(cost --by user | jq '.rows[] | select(.key == "root").cost_usd * 1e9 | round')"
host=$(cost --by host | jq -r '.rows[0].id')
same "--host" "$(sum --by run --host "$host")" "$(cost --by host | jq --arg id "$host" '.rows[] | select(.id == $id).cost_usd * 1e9 | round')"
same "a cost centre has the pipelines that fit" "$(cost --by cost_centre | jq '.rows[] | select(.key == "genomics").cost_usd * 1e9 | round')" \
	"$(jq '[.rows[] | select(.key | startswith("rnaseq")).cost_usd * 1e9 | round] | add' "$work/pipelines")"
expect "by host, rows have the price and its source" 'all(.rows[]; .price_usd_hour == 0.096 and .price_source == "configured")' <(cost --by host)
echo "ok: filters"

# ends STATUS WORDS OPTION…: the command ends so, and says why.
ends() {
	local status=0 wanted=$1 words=$2
	shift 2
	tracer cost "$@" >"$work/out" 2>&1 || status=$?
	if [ "$status" != "$wanted" ] || ! grep -q -- "$words" "$work/out"; then fault "tracer cost $* ended $status: $(cat "$work/out")"; fi
}
ends 3 'nothing ran' --label project:none
ends 3 'no run has the id or name' --run no-such-run
ends 3 'no host has the id or name' --host no-such-host
ends 1 'hosts are called "lab-1"' --host lab-1
ends 2 '--by takes pipeline, run, step' --by colour
ends 2 '2026-02-30 is no time' --since 2026-02-30
ends 2 '--until is not after --since' --since 2026-11-02 --until 2026-11-01
ends 2 '--split takes held or aws' --split fair
ends 2 'give one of them' --csv --json
ends 2 'is of all runs' --focus - --run "$demo"
echo "ok: what is not there or not understood is said"

# Amounts are shown as they add up. (wc -L counts the columns that a terminal shows.)
for key in "${keys[@]}"; do
	script -qec "stty cols 80 && tracer cost --days 3650 --by $key --over day" /dev/null | tr -d '\r' >"$work/screen"
	[ "$(wc -L <"$work/screen")" -le 80 ] || fault "by $key: a line of more than 80 columns: $(cat "$work/screen")"
	grep -q '^total \$' "$work/screen" || fault "by $key: no total: $(cat "$work/screen")"
done
tracer cost --by step --run "$demo" >"$work/screen"
money='<?[$][0-9]+[.][0-9]+'
grep -qE "^call +$money +$money +$money +$money +6 " "$work/screen" || fault "no row of a step: $(cat "$work/screen")"
same "the costs as they are shown" "$(sed -nE "s/^[^$]+( +$money){3} +[$]([0-9.]+) .*/\2/p" "$work/screen" | jq -s 'add * 1e9 | round')" \
	"$(sed -nE 's/^total [$]([0-9.]+) .*/\1/p' "$work/screen" | jq '. * 1e9 | round')"
tracer report "$demo" --full >"$work/screen"
grep -qE "^  cost $money  = used $money  [+] reserved but unused $money  [+] idle $money\$" "$work/screen" ||
	fault "the report does not say what the cost is made of: $(cat "$work/screen")"
grep -qE "^    of tasks $money  [+] engine $money " "$work/screen" || fault "the report does not divide the cost between tasks and engine: $(cat "$work/screen")"
echo "ok: the table of each key fits 80 columns, and adds up"
