#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Slurm with two nodes: a script with several tools, steps on both nodes, an array, Snakemake and Nextflow that hand their
# jobs to it. Each is one run, whoever started its processes.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=tests/e2e/slurm/cluster.sh
source "$root/tests/e2e/slurm/cluster.sh"
# shellcheck source=tests/e2e/nextflow/launch.sh
source "$root/tests/e2e/nextflow/launch.sh"

clean_up_own() {
	[ "$1" = 0 ] || tail -n 10 "$slurm"/*.words >&2
	slurm_down
}
export TRACER_DRIVERS=on
tracer up --port 0 >/dev/null
slurm_up
mkdir "$work/jobs" "$work/snakes" "$work/flow"
cp "$root"/tests/e2e/slurm/{align,steps,count}.sh "$work/jobs/"
cp "$root/tests/e2e/slurm/Snakefile" "$work/snakes/"
cp "$root/tests/e2e/slurm/main.nf" "$root/tests/e2e/slurm/nextflow.config" "$work/flow/"
for sample in liver_1 kidney_1; do
	seq 2000 | awk -v s="$sample" '{print ">" s "_" $1; print "ACGTACGTACGTACGTACGTACGTACGT"}' | tee "$work/jobs/$sample.fa" \
		"$work/snakes/$sample.fa" >"$work/flow/$sample.fa"
done

# submit ARGUMENT…: the job's number.
submit() { (cd "$work/jobs" && in_cluster sbatch --parsable "$@"); }
# expect_job NAME STATUS TASKS TABLE: its report is in $work/report, its containers in $work/containers.
expect_job() {
	wait_for "the run $1 has $3 tasks and is $2" settled "$@"
	wait_for "all of it is in the lake" delivered
	expect_rows "$1" "$4"
	tracer report "$1" --json >"$work/report"
	api "/runs/$1/containers" >"$work/containers"
}
settled() {
	tracer runs --json | jq -e --arg run "$1" --arg status "$2" --argjson tasks "$3" 'any(.runs[]; (.name == $run or .id == $run) and
		.status == $status and .tasks == $tasks and .tasks_running == 0)'
}

align=$(submit align.sh)
wait_for "the script has run" queue_is_empty
expect_job "align.sh-$align" succeeded 5 slurm_script
expect "the run says its job, node and user" ".run.labels == {slurm_job_id: \"$align\", slurm_cluster: \"e2e\", slurm_nodes: \"node1\"}
	and .run.user == \"root\"" "$work/report"
expect "its tasks' container is the job's" "any(.containers[]; .runtime == \"slurm\" and .job_id == \"$align\" and
	.step_id == \"batch\" and .node == \"node1\")" "$work/containers"

steps=$(submit steps.sh)
array=$(submit --array=1-3 count.sh)
wait_for "the steps and the array have run" queue_is_empty
expect_job "steps.sh-$steps" succeeded 4 slurm_steps
expect "the run says both nodes" '(.run.labels.slurm_nodes | split(",") | sort) == ["node1", "node2"]' "$work/report"
expect "each step is in containers of its own, on its nodes" '[.containers[] | select(.runtime == "slurm")] as $seen |
	def nodes(steps): [$seen[] | select(.step_id | IN(steps)).node] | unique;
	nodes("batch") == ["node1"] and nodes("2") == ["node1", "node2"] and nodes("0", "1") == ["node1", "node2"] and
	(nodes("0") | length) == 1' "$work/containers"
expect_job "count.sh-$array" failed 3 slurm_array

# (CI: it looks once a second whether a job has ended; else every ten.)
(cd "$work/snakes" && in_cluster env CI=true snakemake -j 2 --latency-wait 20 --cluster sbatch) >"$work/snakes/log" 2>&1 ||
	fault "snakemake: $(tail -n 20 "$work/snakes/log")"
snakes=$(tracer runs --json | jq -er '[.runs[] | select(.pipeline == "snakes").id] | if length == 1 then .[0] else null end') ||
	fault "not one run of Snakemake: $(tracer runs)"
expect_job "$snakes" succeeded 5 slurm_snakemake

within=(in_cluster)
nextflow "$work/flow" run main.nf -name calm_hopper
expect_job calm_hopper succeeded 5 slurm_nextflow
expect "when each was submitted is known" 'all(.tasks[]; .queued_at != null and .queued_at <= .started_at)' "$work/report"
[ "$(tracer runs --json | jq '[.runs[] | select(.engine == "slurm")] | length')" = 3 ] || fault "other jobs are runs, too: $(tracer runs)"
echo "ok: what engines handed over is no run of its own"

# No node works: a submitted job is queued, and becomes that task later. (e2e_slurm_hosts has the same on two hosts.)
long || exit 0
in_cluster scontrol update nodename=node1,node2 state=drain reason=test
(nextflow "$work/flow" run main.nf -name calm_lovelace) &
# Nextflow makes a task's folder first, and writes its name a moment later.
queued() {
	tracer report calm_lovelace --json >"$work/report" && jq -e '[.tasks[] | [.status, .step, .sample, .started_at, .wall_s]] | sort ==
		[["queued", "ALIGN", "kidney_1", null, null], ["queued", "ALIGN", "liver_1", null, null]]' "$work/report"
}
wait_for "two tasks of Nextflow's are queued, by their names" queued
ids=$(jq '[.tasks[].id] | sort' "$work/report")
sleep 3
in_cluster scontrol update nodename=node1,node2 state=resume
wait $!
expect_job calm_lovelace succeeded 5 slurm_nextflow
expect "they are the tasks that began, and waited" "def at: .[:19] + \"Z\" | fromdate;
	[.tasks[] | select(.step == \"ALIGN\")] | (map(.id) | sort) == $ids and all(.[]; (.started_at | at) - (.queued_at | at) >= 3)" "$work/report"
