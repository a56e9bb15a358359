#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The demo pipeline as a user runs it: every job a task, named tools, figures, a finding, a cost that adds up; then every
# page in a real browser.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

tracer up --port 0 --price-usd-hour 0.096 >"$work/up"
mkdir "$work/pipeline"
(cd "$work/pipeline" && snakemake --snakefile "$root/demo/Snakefile" --cores 2 --config genome=400000 pairs=12000 \
	>"$work/snakemake.log" 2>&1) || { tail "$work/snakemake.log" >&2; fault "the pipeline itself failed"; }
the_run() { tracer runs --json | jq -er '[.runs[] | select(.engine == "snakemake" and .pipeline == "demo")][0].id'; }
wait_for "the run is there" the_run
run=$(the_run)
wait_for "the run has settled" run_settled "$run" succeeded 100
# Snakemake writes a job's rule down behind the job's end.
rules='["call", "checksums", "flagstat", "index", "index_bam", "map", "reads", "reference", "stats", "summary"]'
has_rules() { api "/runs/$1" | jq -e --argjson rules "$rules" '[.steps[].name] | sort == $rules'; }
wait_for "steps are called as their rules" has_rules "$run"
wait_final "$run"
tracer report "$run" --json >"$work/report"
expect_shape "$work/report" steps tasks tools processes findings

expect "the run is there, by its engine and user" '.run.status == "succeeded" and .run.engine == "snakemake" and
	.run.user == "root" and .run.pipeline != "" and .run.started_at != null and .run.ended_at != null' "$work/report"
# Every job that Snakemake started is a task: 41 in its log, less `all`, which runs nothing.
jobs=$(grep -c '^Finished job' "$work/snakemake.log")
[ "$jobs" = 41 ] || fault "Snakemake finished $jobs jobs"
expect "every Snakemake job is a task" ".tasks | length == $jobs - 1" "$work/report"
expect "every task succeeded, with a step, a start and an end" 'all(.tasks[]; .status == "succeeded" and .step != "" and
	.exit_code == 0 and .started_at != null and .ended_at != null and .wall_s > 0)' "$work/report"
expect "six tasks of each step that runs for each sample" '[.steps[] | select(.tasks == 6)] | length == 6' "$work/report"
expect "the tools are named" '[.tools[].name] | contains(["bwa index", "bwa mem", "samtools sort", "samtools index",
	"samtools flagstat", "samtools stats", "bcftools mpileup", "bcftools call"])' "$work/report"
expect "figures are not zero where they cannot be" 'all(.tools[] | select(.name | test("^(bwa|samtools|bcftools) "));
	.user_ns > 0 and .rss_peak_bytes > 1000000 and .read_chars_bytes > 0 and .write_chars_bytes > 0)' "$work/report"
# shellcheck disable=SC2016
expect "sum over processes = totals" '. as $report | all("user_ns", "kernel_ns", "runnable_ns", "minor_faults",
	"major_faults", "ctx_voluntary", "ctx_involuntary", "read_chars_bytes", "write_chars_bytes", "disk_read_bytes",
	"disk_write_bytes"; . as $figure | $report.totals[$figure] == ([$report.processes[][$figure]] | add))' "$work/report"
# shellcheck disable=SC2016
expect "sum over tasks = sum over their processes" '. as $report | all("user_ns", "read_chars_bytes", "minor_faults";
	. as $figure | ([$report.tasks[][$figure]] | add) > 0 and ([$report.tasks[][$figure]] | add) ==
	([$report.processes[] | select(.task_id != null and .task_id != "") | .[$figure]] | add))' "$work/report"
# shellcheck disable=SC2016
expect "each nanosecond in the life of a thread is in one state: sums and coverage" '. as $report | ["user_ns", "kernel_ns",
	"runnable_ns", "disk_ns", "paging_ns", "network_ns", "pipe_read_ns", "pipe_write_ns", "lock_ns", "child_ns", "sleep_ns",
	"poll_ns", "other_ns"] as $states | all($states[], "threads_ns"; . as $figure | $report.totals[$figure] ==
	([$report.processes[][$figure]] | add)) and ([$report.totals[$states[]]] | add / $report.totals.threads_ns | . > 0.98 and
	. < 1.02) and $report.totals.coverage > 0.98' "$work/report"
expect "who gets its reads by a pipe waited for it" '[.tools[] | select(.name == "samtools sort")][0] | .pipe_read_ns > 0' \
	"$work/report"
expect_no_twins "$work/report"
expect "nothing was lost" '.totals.lost_records == 0' "$work/report"
expect "the verdict is a success, and nothing is said to have failed" '(.verdict.text | startswith("Succeeded in ")) and
	.verdict.failed_tools == 0 and ([.findings[] | select(.severity == "critical")] | length == 0)' "$work/report"
# Which task fed which, by the files alone; the .fai apart, which calls make for each other when none is there.
jq '.dataflow.edges |= map(select(.path | endswith(".fa.fai") | not))' "$work/report" >"$work/flow"
difference=$(diff <(grep -v '^#' "$root/tests/e2e/expected/demo_dataflow.txt" | sort) \
	<(jq -r -f "$root/tests/e2e/dataflow_rows.jq" "$work/flow" | sort)) ||
	fault "other edges than expected/demo_dataflow.txt: $difference"
echo "ok: the dataflow is the Snakefile's, without a word from Snakemake"
odd=$(jq -c '(.tasks | map({ key: .id, value: .sample }) | from_entries) as $sample | .dataflow.edges[] |
	select($sample[.from] != "" and $sample[.to] != "" and $sample[.from] != $sample[.to] or
	.read_bytes == 0 or .size_bytes == 0 or .written_bytes < .size_bytes)' "$work/flow")
[ -z "$odd" ] || fault "edges between samples, or of files that were not read or written whole: $odd"
echo "ok: what two tasks of samples share is of one sample, and was written and read"
expect "but for the first, each task has an input that was closed before it began" '[.dataflow.tasks[] |
	select(.ready_at == null or .queue_s == null)] | length == 1' "$work/flow"
# shellcheck disable=SC2016
expect "the critical path goes from the reference to the end, along edges, and is the run" '.dataflow as $flow |
	$flow.critical_path | (.links[0].step == "reference") and (.links[-1].step | IN("summary", "checksums")) and
	([.links[].task_id] as $ids | all(range(1; $ids | length); . as $i |
		any($flow.edges[]; .from == $ids[$i - 1] and .to == $ids[$i]))) and
	([.before_s, .after_s, .links[].waiting_s, .links[].running_s] | add - $flow.critical_path.wall_s | fabs < 1e-3) and
	(.wall_s - '"$(jq .run.wall_s "$work/report")"' | fabs < 1e-3)' "$work/flow"
expect "the cost adds up to the whole" '.totals.cost_usd > 0 and .cost.whole_usd == .totals.cost_usd and
	(.cost.tasks_usd + .cost.engine_usd - .cost.whole_usd | fabs) < 1e-9 and
	(.cost.used_usd + .cost.unused_usd + .cost.idle_usd - .cost.whole_usd | fabs) < 1e-9 and .cost.used_usd > 0' "$work/report"
# (A report sends several requests, and what is idle is shared with what else this host runs, which is known better later.)
tracer cost --by task --run "$run" --json >"$work/cost"
expect "all tasks and the engine are there, and add up to what the run cost" "(.rows | length) == $jobs and
	([.rows[].cost_usd, -.cost_usd] | map(. * 1e9 | round) | add) == 0" "$work/cost"
expect "the cost is no more than price × time" '.cost.whole_usd <= 0.096 * .run.wall_s / 3600 + 1e-6' "$work/report"
# Whatever else ran on this host: what every run costs, and what no run held, is the host's price for the time it was up.
host_cost_adds_up() {
	tracer cost --by "$1" --json >"$work/cost" && jq -e '[.rows[].cost_usd, .unallocated_usd, -.whole_usd] | map(. * 1e9 | round) | add == 0' "$work/cost"
}
for key in run step sample; do host_cost_adds_up $key >"$work/out" || fault "by $key the costs do not add up to the host's: $(cat "$work/cost")"; done
echo "ok: by run, step and sample the costs of all add up to the host's, to the nano-dollar"
tracer cost --by step --run "$run" >"$work/out"
grep -qE '^map +([$][0-9.]+ +){4}6 ' "$work/out" || fault "the table of costs lacks a step: $(cat "$work/out")"
tracer report "$run" >"$work/screen"
grep -q 'succeeded' "$work/screen" || fault "the report for people lacks the status"
grep -qE "^  map +[0-9]" "$work/screen" || fault "the first screen lacks the bar of a step"
tracer report "$run" --full >"$work/tables"
sed '/^TIME OF THREADS/,/^STEP /d' "$work/tables" >"$work/screen"
bar='[█▓░DPN<>LEOCS?]'
row="[0-9][0-9.hms ]*  $bar{25}  [A-Za-z() ]+"
[ "$(grep -cE "^The run: all tasks +$row [0-9<]+" "$work/screen")" = 1 ] || fault "the report lacks the bar of where the run's time went"
[ "$(sed -n '/^Steps$/,/^Tools$/p' "$work/screen" | grep -cE "^  map +$row")" = 1 ] ||
	fault "the report lacks the bar of a step"
[ "$(sed -n '/^Tools$/,/^$/p' "$work/screen" | grep -cE "^  bwa mem +$row")" = 1 ] || fault "the report lacks the bar of a tool"
[ "$(sed -n '/^TASK OF STEP .* WHERE IT WENT /,/^$/p' "$work/screen" | grep -cE "  succeeded .*  $bar{16}  ")" = $((jobs - 1)) ] ||
	fault "the report lacks the bar of a task"
echo "ok: where time went, as a bar: of the run, of steps, tools and each task"
grep -q '^CRITICAL PATH ' "$work/screen" || fault "the report lacks the critical path"
# shows COMMAND…: it succeeds, or says that there is nothing of that kind.
shows() {
	local status=0
	tracer "$@" >"$work/out" 2>"$work/err" || status=$?
	[ "$status" = 0 ] || { [ "$1" = events ] && [ "$status" = 3 ]; } || fault "tracer $* ended $status: $(cat "$work/err")"
}
for command in runs sweep cost status; do shows $command; done
for command in tasks tools processes events tune; do shows $command "$run"; done
echo "ok: every command that prints data prints it"

# What takes long: the dashboard of this run, and of one that is running, in a real browser (web_story has a recorded one);
# and the pipeline once more, with less to do: the same labels.
long || exit 0
# shellcheck disable=SC2016
tracer run --name live --pipeline live -- bash -c 'for i in $(seq 600); do seq 30000 >/dev/null; sleep 1; done' &
live=$!
wait_for "the live run is seen" run_is live running
TRACER_RUN=$run "$root/tests/web/dashboard.sh" "$(grep -o 'http://[^ ]*' "$work/up")" \
	"$root/build/screenshots" "$root/build/web-test"
kill $live

labels() {
	tracer report "$1" --json | jq -r '(.steps[] | [.name, .tasks]), (.tasks[] | [.step, .sample, .name]) | @tsv' | sort
}
mkdir "$work/again"
(cd "$work/again" && snakemake --snakefile "$root/demo/Snakefile" --cores 2 --config genome=50000 pairs=500 \
	>"$work/snakemake.log" 2>&1) || { tail "$work/snakemake.log" >&2; fault "the pipeline failed the second time"; }
another_run() { [ "$(the_run)" != "$run" ]; }
wait_for "the second run is there" another_run
wait_for "the second run has settled" run_settled "$(the_run)" succeeded 100
wait_for "its steps are called as their rules" has_rules "$(the_run)"
labels "$run" >"$work/labels"
labels "$(the_run)" >"$work/labels_again"
[ -s "$work/labels" ] || fault "the run has no labels"
difference=$(diff "$work/labels" "$work/labels_again") || fault "other labels the second time: $difference"
echo "ok: the same steps, samples and names the second time: $(wc -l <"$work/labels")"
