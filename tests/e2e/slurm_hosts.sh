#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Nextflow and Snakemake on one host, Slurm's nodes on another: two agents, one that sees the engines and one that sees the jobs.
# What is queued there and begins here is one task of one run.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=tests/e2e/slurm/cluster.sh
source "$root/tests/e2e/slurm/cluster.sh"
# shellcheck source=tests/e2e/nextflow/launch.sh
source "$root/tests/e2e/nextflow/launch.sh"

head_cgroup=$(own_memory_cgroup)/head_$$
clean_up_own() {
	[ "$1" = 0 ] || tail -n 10 "$slurm"/*.words >&2
	[ ! -e "$work/node.pid" ] || kill "$(cat "$work/node.pid")"
	slurm_down
	rmdir "$head_cgroup"
}
mkdir "$head_cgroup"
export TRACER_DRIVERS=on
slurm_up
mkdir -p "$TRACER_DATA/tokens" "$work/snakes" "$work/flow"
cp "$root/tests/e2e/slurm/Snakefile" "$work/snakes/"
cp "$root/tests/e2e/slurm/main.nf" "$root/tests/e2e/slurm/nextflow.config" "$work/flow/"
for sample in liver_1 kidney_1; do
	seq 2000 | awk -v s="$sample" '{print ">" s "_" $1; print "ACGTACGTACGTACGTACGTACGTACGT"}' | tee "$work/snakes/$sample.fa" \
		>"$work/flow/$sample.fa"
done

"$build/tracer-lake" --listen 127.0.0.1:0 --data-folder "$TRACER_DATA/lake" --url-file "$work/url" --tokens-folder "$TRACER_DATA/tokens" \
	2>"$TRACER_DATA/lake.log" &
lake=$!
wait_for "the lake listens" test -s "$work/url"
TRACER_LAKE=$(cat "$work/url")
export TRACER_LAKE TRACER_TOKEN_FILE=$TRACER_DATA/tokens/read
watch_host() { # HOST PATTERN: an agent that sees what runs in such cgroups, with a token of its own
	"$build/tracer-lake" token create --scope ingest --name "$1" --data-folder "$TRACER_DATA/lake" --tokens-folder "$TRACER_DATA/tokens" \
		>"$work/token-$1"
	"$build/tracer" collect --host "$1" --state-folder "$TRACER_DATA/agent-$1" --track "only:$2" --rules-folder "$work/no-rules" --gpu off \
		--token-file "$work/token-$1" 2>"$TRACER_DATA/agent-$1.log" &
}
watch_host head "*/head_$$"
agent=$!
watch_host node "/slurm_node*"
echo $! >"$work/node.pid"
host_is_up() {
	api /hosts | jq -e --arg host "$1" 'any(.hosts[]; .hostname == $host and .status == "up")'
}
wait_for "the head is up" host_is_up head
wait_for "the node is up" host_is_up node

# on_head COMMAND…: in the cgroup that the first agent watches.
on_head() { in_cluster sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$head_cgroup" "$@"; }
settled() {
	tracer runs --json | jq -e --arg run "$1" --argjson tasks "$2" 'any(.runs[]; (.name == $run or .pipeline == $run) and
		.status == "succeeded" and .tasks == $tasks and .tasks_running == 0)'
}
# expect_run NAME TASKS TABLE: its report is in $work/report.
expect_run() {
	local id
	wait_for "the run $1 has $2 tasks" settled "$1" "$2"
	id=$(tracer runs --json | jq -r --arg run "$1" '.runs[] | select(.name == $run or .pipeline == $run).id')
	expect_rows "$id" "$3"
	tracer report "$id" --json >"$work/report"
	expect "$1 was on both hosts, its tasks on the node" '.run.hosts == ["head", "node"] and all(.tasks[]; .host == "node") and
		([.parts[].reason] | unique) == [null, "folder"]' "$work/report"
}

within=(on_head)
in_cluster scontrol update nodename=node1,node2 state=drain reason=test
(nextflow "$work/flow" run main.nf -name calm_hopper) &
queued() { # by their names, once the engine has written them
	tracer tasks calm_hopper --json | jq -e '[.tasks[] | select(.status == "queued") | [.step, .sample, .host]] | sort ==
		[["ALIGN", "kidney_1", "head"], ["ALIGN", "liver_1", "head"]]'
}
wait_for "two tasks of Nextflow's are queued" queued
sleep 3
in_cluster scontrol update nodename=node1,node2 state=resume
begun() { tracer tasks calm_hopper --json | jq -e '[.tasks[] | select(.step == "ALIGN").host] == ["node", "node"]'; }
wait_for "they have begun on the node, and none is queued besides" begun
wait $!
expect_run calm_hopper 5 slurm_nextflow
expect "how long each waited is known" 'def waits(step): [.tasks[] | select(.step == step).queued_s];
	all(waits("ALIGN")[]; . >= 3) and all(waits("COUNT")[]; . > 0)' "$work/report"

# (CI: it looks once a second whether a job has ended; else every ten.)
(cd "$work/snakes" && on_head env CI=true /usr/bin/python3 /usr/bin/snakemake -j 2 --latency-wait 20 --cluster sbatch) >"$work/snakes/log" 2>&1 ||
	fault "snakemake: $(tail -n 20 "$work/snakes/log")"
expect_run snakes 5 slurm_snakemake
tracer runs --json >"$work/runs"
expect "there are no other runs" '[.runs[].engine] | sort == ["nextflow", "snakemake"]' "$work/runs"
echo "slurm_hosts: all is well"
