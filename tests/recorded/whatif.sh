#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Recorded runs replayed otherwise: the demo and a Nextflow pipeline on other cores, with less memory, shorter steps and other slots; what is
# refused, with the reason. The records are the same each time, so are the answers.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"

tracer up --replay --port 0 >"$work/up"
for name in demo nextflow_failed make_failed; do tracer replay --json "$root/tests/data/runs/$name.rec" >"$work/$name"; done

# ask NAME OPTION…: the answer about a recorded run, as JSON.
ask() {
	local name=$1
	shift
	tracer whatif "$(jq -r .run "$work/$name")" --json "$@" >"$work/answer" || [ $? = 3 ]
}
# holds WHAT FILTER: of the last answer.
holds() { jq -e "$2" "$work/answer" >/dev/null || fault "$1: $(jq -c 'del(.tasks)' "$work/answer")"; }

ask demo
holds "the demo as it was" '(.predicted.wall_s - .measured.wall_s | fabs) < 0.001 and .measured.cores == 2 and .measured.slots == 2'
holds "its replay is near it" '.measured.replayed_s / .measured.wall_s | . > 0.85 and . < 1.15'
holds "its interval is around it" '.predicted | .wall_low_s < .wall_s and .wall_s < .wall_high_s'
holds "all its tasks have a place" '(.tasks | length) == 40 and all(.tasks[]; .predicted_began_s < .predicted_ended_s)'
holds "calling the variants is the step to attack first" '.steps[0].name == "call" and .steps[0].saves_s > 3'
ask demo --cores 1
holds "one core takes longer" '.predicted.wall_s > 17 and .predicted.wall_s < 24'
holds "half a host costs half for as long" '.predicted.cost_usd / .measured.cost_usd * 2 * .measured.wall_s / .predicted.wall_s | . > 0.99 and . < 1.01'
ask demo --step call=0.5
holds "a step that takes half" '.measured.wall_s - .predicted.wall_s > 3'
ask demo --cores 4 --no-queue
holds "without a queue more runs at once" '.predicted.wall_s < 9 and .predicted.slots == null'
ask demo --cores 4 --slots 4
holds "so many slots" '.predicted.slots == 4 and .predicted.wall_s < 11'
ask demo --memory 46M
holds "memory for fewer at once" '.predicted.wall_s > .measured.wall_s and .predicted.memory_peak_bytes <= 46 * 1048576'
echo "ok: the demo on other cores, with a shorter step, without a queue, with more slots, with less memory"

ask nextflow_failed --cores 1
holds "Nextflow's slots follow the cores" '.measured.slots == 2 and .predicted.slots == 1 and .predicted.wall_s > .measured.wall_s'
holds "a run that failed is one until then" 'any(.assumptions[].text; startswith("The run failed"))'
echo "ok: slots that follow the cores"

ask demo --cores 9
holds "more cores than can be concluded" '.predicted == null and (.refused | contains("measured on 2 cores"))'
ask demo --memory 1M
holds "a task that does not fit" '.predicted == null and (.refused | startswith("It would not fit: task "))'
ask demo --step nothing=0.5
holds "a step that there is none" '.predicted == null and (.refused | contains("no step named nothing"))'
ask make_failed
holds "no task ended" '.refused | startswith("No task")'
run=$(jq -r .run "$work/demo")
tracer whatif "$run" --cores 9 >"$work/words" && fault "what is not known is no answer"
grep -q '^Not known. The run was measured on 2 cores' "$work/words" || fault "a reason: $(cat "$work/words")"
for option in --cores=many --cores=0 --memory=much --step=map --step=map=0; do
	tracer whatif "$run" "$option" >"$work/words" 2>&1 && fault "$option is none"
	grep -qE '(cores|memory|step) takes ' "$work/words" || fault "$option: $(cat "$work/words")"
done
echo "ok: what cannot be said is refused, with the reason"

# The same pipelines, really run on one core, in a quota of one core, and on two (bench/whatif.sh): each is predicted from the other within
# a tenth.
for file in "$root"/tests/data/whatif/*.rec; do tracer replay --json "$file" >"$work/$(basename "$file" .rec)"; done
# predicts FROM CORES TO: what the one run would take on so many cores is what the other one took.
predicts() {
	local took
	ask "$3"
	took=$(jq .measured.wall_s "$work/answer")
	ask "$1" --cores "$2"
	holds "$3 took $took s, by $1" ".predicted | .wall_s / $took > 0.9 and .wall_s / $took < 1.1"
}
for name in demo nextflow tail; do
	for limit in 1 quota; do
		predicts "${name}_2" 1 "${name}_$limit"
		predicts "${name}_$limit" 2 "${name}_2"
	done
	ask "${name}_quota" --cores 1
	holds "$name on the cores of its quota" '.predicted.wall_s - .measured.wall_s | fabs < 0.001'
done
echo "ok: runs on one core and on two predict each other"

tracer whatif "$run" --cores 1 >"$work/words"
for line in 'It took 13\.[0-9] s on 2 cores\. On 1 core it would take ' 'STEP, IF IT TOOK HALF ' 'call ' 'Assumed:'; do
	grep -qE "^$line" "$work/words" || fault "no line \"$line\": $(cat "$work/words")"
done
echo "ok: what people read"
