#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Machines recommended for recorded runs: the demo and a Nextflow pipeline, which were measured on one core and on two, on machines of one's own and
# on those of the catalogue. The records and the catalogue are the same each time, so are the answers.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"

tracer up --port 0 >"$work/up"
for name in demo_1 demo_2 nextflow_1 nextflow_2; do tracer replay --json "$root/tests/data/whatif/$name.rec" >"$work/$name"; done
tracer replay --json "$root/tests/data/runs/make_failed.rec" >"$work/make_failed"

# ask NAME OPTION…: the answer about a recorded run, as JSON.
ask() {
	local name=$1
	shift
	tracer recommend "$(jq -r .run "$work/$name")" --json "$@" >"$work/answer" || [ $? = 3 ]
}
# holds WHAT FILTER: of the last answer.
holds() { jq -e "$2" "$work/answer" >/dev/null || fault "$1: $(jq -c 'del(.candidates[10:])' "$work/answer")"; }

one='cpus=1,memory=4G,usd_hour=0.05' two='cpus=2,memory=8G,usd_hour=0.08'
for name in demo nextflow; do
	for pair in "2 1 $one" "1 2 $two"; do
		read -r from to machine <<<"$pair"
		ask "${name}_$to"
		took=$(jq .measured.wall_s "$work/answer")
		ask "${name}_$from" --machine "$machine"
		holds "$name on $to, by $from: it took $took s" ".candidates[0] | .wall_s / $took > 0.9 and .wall_s / $took < 1.1"
		holds "what it costs" '.candidates[0] | .wall_s / 3600 * .usd_hour / .cost_usd | . > 0.999 and . < 1.001'
	done
done
ask demo_2 --machine "$one;$two"
holds "the smaller one is cheaper and slower" '[.candidates[].cpus] == [2, 1] or (.front | length) == 2'
holds "nothing of the catalogues" '(.candidates | length) == 2 and all(.candidates[]; .provider == null and .region == null and .interruption == null)'
ask demo_2 --machine 'cpus=2,memory=1M,usd_hour=1'
holds "a task does not fit" '.candidates == [] and any(.assumptions[].text; contains("their memory is too small"))'
echo "ok: machines of one's own: what was measured on one core and on two predict each other"

ask demo_2 --providers aws --within 1h --below 5 --limit 1000
holds "the front is in the order of cost" '[.candidates[.front[]].cost_usd] | . == sort and length > 2'
# shellcheck disable=SC2016 # $all is of jq
holds "nothing on it is beaten" '.candidates as $all | all(.front[]; $all[.] as $one |
	all($all[]; .purchase == "spot" and $one.purchase != "spot" or .cost_usd >= $one.cost_usd or .wall_s > 0.97 * $one.wall_s))'
holds "memory fits" 'all(.candidates[]; .memory_headroom >= 0.1 and .memory_peak_bytes <= 0.9 * .memory_bytes)'
holds "no burstable ones, no bare metal, no GPUs" 'all(.candidates[]; .family | test("^(t[0-9]|g[0-9]|p[0-9])") | not)'
holds "each choice once" '[.candidates[].choices | select(.) | split(",")[]] | sort == ["cheapest", "cheapest_in_time", "fastest", "fastest_below"]'
holds "spot has a risk" 'all(.candidates[] | select(.purchase == "spot" and .interruption); .interruption_loss_s > 0)'
holds "in one region" '[.candidates[].region] | unique == ["us-east-1"]'
ask demo_2 --types 'm7i.*' --purchase on_demand --regions 'eu-*,us-east-1'
holds "only what may be used" '(.candidates | length) > 3 and all(.candidates[]; .family == "m7i" and .purchase == "on_demand") and ([.candidates[].region] | unique | length) > 3'
ask demo_2 --providers gcp
holds "the other provider" 'all(.candidates[]; .provider == "gcp" and .region == "us-central1")'
ask demo_2 --providers aws --arch arm64
holds "another architecture is said" 'all(.candidates[]; .same_arch == false and any(.notes[]; startswith("Another architecture")))'
tracer recommend --pipeline demo --json >"$work/answer"
holds "the run in the middle of a pipeline" '.pipeline == "demo" and .runs == 2 and .run.pipeline == "demo"'
echo "ok: machines of the catalogue, their front, what is chosen, filters"

# All tasks of the last days: those of runs that are settled.
for _ in $(seq 300); do
	tracer recommend --fleet --days 3650 --providers aws --json >"$work/answer" || [ $? = 3 ]
	jq -e '.runs >= 4' "$work/answer" >/dev/null && break
	sleep 0.2
done
holds "the runs as a fleet" '.run == null and .pipeline == null and .runs >= 4 and .measured.hosts >= 1'
holds "machines for it" '(.candidates | length) > 5 and all(.candidates[]; .memory_headroom >= 0.1 and .hosts >= 1 and .cost_usd > 0)'
holds "the start of machines is said" 'any(.assumptions[].text; contains("paid for 120 s before"))'
echo "ok: all work of the last days"

ask make_failed --providers aws
holds "no task ended" '(.refused | startswith("No task")) and .candidates == []'
run=$(jq -r .run "$work/demo_2")
for option in --by=yesterday '--machine=cpus=2' --within=soon --pipeline=demo; do
	tracer recommend "$run" "$option" >"$work/words" 2>&1 && fault "$option is none"
	grep -qE 'by takes|machine must|within|one of them' "$work/words" || fault "$option: $(cat "$work/words")"
done
tracer recommend "$run" --providers aws --within 20s >"$work/words"
for line in '   TYPE ' 'M  this machine ' 'a  ' 'Assumed:' '  - Prices of aws are of '; do
	grep -qE "^$line" "$work/words" || fault "no line \"$line\": $(cat "$work/words")"
done
grep -q 'cheapest in time' "$work/words" || fault "which ends in time"
echo "ok: what people read, and what is refused"
