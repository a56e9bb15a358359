#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Nextflow itself: tasks with tags, a retry, an ignored failure, one that a memory limit kills, -resume with cached tasks,
# two runs at once. Each is held against Nextflow's own trace.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

here=$root/tests/e2e/nextflow
memory_cgroup=$(own_memory_cgroup)/nextflow_$$
mkdir "$memory_cgroup"
limit_memory "$memory_cgroup" $((48 << 20))
clean_up_own() { rmdir "$memory_cgroup"; }
tracer up --port 0 >/dev/null

# shellcheck source=tests/e2e/nextflow/launch.sh
source "$here/launch.sh"

# expect_trace RUN TRACE: every task of the trace that was run is there, as the process that Nextflow says, with its name,
# exit code and attempt; it lasts from before its wrapper's first file was written until behind its last, and until before
# Nextflow saw its end, and is no shorter than what ran in it (which Nextflow knows of those that succeeded).
expect_trace() {
	local run=$1 trace=$2 folder
	tracer report "$run" --json >"$work/report"
	jq -Rn '[inputs | split("\t")] | .[0] as $head | [.[1:][] | [$head, .] | transpose | map({(.[0]): .[1]}) | add] |
		map(select(.status != "CACHED"))' "$trace" >"$work/trace"
	jq -r '.[].workdir' "$work/trace" | while read -r folder; do
		stat -c '%.3Y' "$folder/.command.begin" "$folder/.exitcode" | jq -s --arg folder "$folder" '{($folder): map(. * 1000)}'
	done | jq -s add >"$work/files"
	expect "$run: as many tasks as its trace has" "(.tasks | length) == $(jq length "$work/trace")" "$work/report"
	jq --slurpfile trace "$work/trace" --slurpfile files "$work/files" 'def ms: (.[0:19] + "Z" | fromdate) * 1000 +
		(.[20:23] | tonumber);
		. as $report | [$trace[0][] | . as $want | $files[0][.workdir] as $written |
		[$report.tasks[] | . as $task | select(any($report.processes[]; .task_id == $task.id and (.pid | tostring) ==
			$want.native_id))][0] | {want: $want, written: $written, task: ., agrees: (.name == $want.name and
			(.exit_code | tostring) == $want.exit and (.attempt | tostring) == $want.attempt and
			(.started_at | ms) <= $written[0] + 20 and (.ended_at | ms) >= $written[1] - 20 and
			(.ended_at | ms) <= ($want.complete | tonumber) + 20 and
			($want.status != "COMPLETED" or .wall_s * 1000 >= ($want.realtime | tonumber) - 20))}] |
		map(select(.agrees | not) | {want, written, task: (.task | {name, exit_code, attempt, started_at, ended_at, wall_s})})' \
		"$work/report" >"$work/apart"
	[ "$(cat "$work/apart")" = "[]" ] || fault "$run: not as Nextflow's trace: $(cat "$work/apart")"
	echo "ok: $run: each task as Nextflow's own trace has it ($(jq length "$work/trace") tasks)"
}

mkdir "$work/rnaseq" "$work/second"
cp "$here/main.nf" "$here/nextflow.config" "$work/rnaseq/"
cp "$here/main.nf" "$here/nextflow.config" "$work/second/"
nextflow "$work/rnaseq" run main.nf -name happy_darwin -with-trace first.txt --cgroup "$memory_cgroup"
wait_for "the run has settled" run_settled happy_darwin succeeded 40
expect_trace happy_darwin "$work/rnaseq/first.txt"
expect_rows happy_darwin nextflow
expect "the kill by a memory limit is of the task that it struck" '(.events[] | select(.kind == "oom_kill")) as $kill |
	.tasks[] | select(.id == $kill.task_id) | .step == "HUNGRY"' "$work/report"
expect "its files are its tasks' own: COUNT read what ALIGN wrote" 'any(.files[]; (.path // "") | endswith("/liver_1.txt"))' "$work/report"

nextflow "$work/rnaseq" run main.nf -resume -name wise_curie -with-trace second.txt
wait_for "the resumed run has settled" run_settled wise_curie succeeded 10
[ "$(grep -c CACHED "$work/rnaseq/second.txt")" = 7 ] || fault "Nextflow did not take tasks from its cache: $(cat "$work/rnaseq/second.txt")"
expect_trace wise_curie "$work/rnaseq/second.txt"
expect_rows wise_curie nextflow_resumed

# Two at once, one without a name of its own: each task in its own run.
if long; then
	nextflow "$work/rnaseq" run main.nf -name left_noether -with-trace left.txt &
	nextflow "$work/second" run main.nf -with-trace right.txt
	wait $!
	wait_for "the left run has settled" run_settled left_noether succeeded 40
	expect_trace left_noether "$work/rnaseq/left.txt"
	right=$(tracer runs --json | jq -r '.runs[] | select(.pipeline == "second").id')
	wait_for "the right run has settled" run_settled "$right" succeeded 40
	expect_trace "$right" "$work/second/right.txt"
fi

# More tasks than the executor may run: the others are queued, and are those that begin. Since when: the birth of their folders.
cp "$here/queue.nf" "$work/second/"
nextflow "$work/second" run queue.nf -qs 1 -name slow_ohm -with-trace queue.txt --go "$work/go" &
queued() { tracer tasks slow_ohm --json | jq -e '[.tasks[].status] | sort == ["queued", "queued", "running"]'; }
wait_for "one runs while others are queued" queued
touch "$work/go"
wait $!
wait_for "all three are done" run_settled slow_ohm succeeded 3
cut -f2,11 "$work/second/queue.txt" | tail -n +2 | while IFS=$'\t' read -r name folder; do
	jq -n --arg name "$name" --argjson ms "$(stat -c %.3W "$folder")" '{($name): ($ms * 1000)}'
done | jq -s add >"$work/made"
tracer report slow_ohm --json | jq --slurpfile made "$work/made" 'def ms: (.[0:19] + "Z" | fromdate) * 1000 +
	(.[20:23] | tonumber); [.tasks | sort_by(.started_at)[] | {name, queued_for, made: $made[0][.name],
	queued: (.queued_at | ms), started: (.started_at | ms), ended: (.ended_at | ms), waited: (.queued_s * 1000)}]' >"$work/waits"
jq -e '. as $tasks | length == 3 and all(.[]; .queued_for == "executor" and .made - 20 <= .queued and .queued <= .started and
	(.started - .queued - .waited | fabs) <= 2) and
	all(range(1; 3); $tasks[.].queued < $tasks[0].ended and $tasks[.].started >= $tasks[. - 1].ended)' "$work/waits" >/dev/null ||
	fault "they did not wait from when they were prepared until the one before was done, for the executor: $(jq -c . "$work/waits")"
echo "ok: each waited from when it was prepared until the one before it was done, for the executor: $(jq -c 'map(.waited)' "$work/waits") ms"
tracer report slow_ohm --full >"$work/screen"
grep -qE "STATUS +QUEUED +FOR" "$work/screen" || fault "the report does not show that they were queued"
