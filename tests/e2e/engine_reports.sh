#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Reports that real engines send: Snakemake 7 with --wms-monitor, Nextflow 22.10 with -with-weblog (the last version that
# sends it without a plugin). The same workflow without reports has the same tasks under the agent's names.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=tests/e2e/nextflow/launch.sh
source "$root/tests/e2e/nextflow/launch.sh"

here=$root/tests/e2e/engine_reports
tracer up --port 0 >/dev/null
url=$(cat "$TRACER_DATA/lake.url")
token=$(cat "$TRACER_DATA/tokens/tell")
# named_by RUN WHO COUNT: the run has COUNT tasks, and WHO reported the name of each.
named_by() {
	tracer tasks "$1" --json | jq -e --arg by "$2" --argjson count "$3" '(.tasks | length) == $count and
		all(.tasks[]; .told_by == $by)'
}

# snakemake_in FOLDER ARGUMENT…: in that new folder.
snakemake_in() {
	mkdir "$1"
	cp "$here/Snakefile" "$here/plot.py" "$1/"
	(cd "$1" && snakemake --cores 2 "${@:2}" >log 2>&1) || fault "snakemake ${*:2}: $(tail -n 20 "$1/log")"
}
WMS_MONITOR_TOKEN=$token snakemake_in "$work/rnaseq" --wms-monitor "$url/receive/wms" --wms-monitor-arg name=third_attempt
snakemake_in "$work/silent"
wait_for "the reported run has settled under its reported name" run_settled third_attempt succeeded 20
wait_for "Snakemake reported every task" named_by third_attempt wms-monitor 7
expect_rows third_attempt reported_snakemake
silent=$(tracer runs --json | jq -er '.runs[] | select(.pipeline == "silent").id')
wait_for "the run without reports has settled" run_settled "$silent" succeeded 20
expect_rows "$silent" unreported_snakemake
tracer report third_attempt --json >"$work/reported"
tracer report "$silent" --json >"$work/unreported"
expect "the run names who reported it" '.run.told_by == "wms-monitor"' "$work/reported"
expect "a run without reports names no reporter" '.run.told_by == null and all(.tasks[]; .told_by == null)' "$work/unreported"
expect "a task has the name of its rule and wildcards" 'any(.tasks[]; .name == "sort_lines (liver)")' "$work/reported"
WMS_MONITOR_TOKEN=wrong_token_0123 snakemake --snakefile "$here/Snakefile" --cores 1 --wms-monitor "$url/receive/wms" \
	>"$work/refused" 2>&1 && fault "a wrong token was taken"
echo "ok: a wrong token is refused"

# The other engine, an older version of it, takes long.
long || exit 0
# Nextflow makes up the name of its run, which is in no command line; the token is in its configuration.
mkdir "$work/align"
cp "$root/tests/e2e/nextflow/main.nf" "$work/align/"
echo "weblog { enabled = true; url = '$url/receive/weblog?token=$token' }
process { withName: FLAKY { cpus = 2; memory = '1 GB' } }" >"$work/align/nextflow.config"
nextflow_jars=$root/build/nextflow_weblog
nextflow "$work/align" run main.nf
name=$(sed -nE 's/^Launching .* \[([a-z]+_[a-z]+)\].*/\1/p' "$work/align/log")
wait_for "Nextflow's run has settled under its made-up name" run_settled "$name" succeeded 30
wait_for "Nextflow reported every task" named_by "$name" weblog 9
expect_rows "$name" reported_nextflow
tracer report "$name" --json >"$work/reported"
expect "its session is known" '.run.engine_run_id | test("^[0-9a-f-]{36}$")' "$work/reported"
expect "a task asked for the CPUs and the memory of its process; of one that asks for nothing, Nextflow assumes one CPU" \
	'all(.tasks[]; .requested_by == "nextflow" and [.cpus_requested, .memory_requested_bytes] ==
	(if .step == "FLAKY" then [2, 1073741824] else [1, null] end))' "$work/reported"
