#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What engines tell of themselves, by the engines: Snakemake 7 with --wms-monitor, Nextflow 22.10 with -with-weblog (the last
# whose own jar can send it). The same workflow, untold, has the same tasks under the agent's names.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=tests/e2e/nextflow/launch.sh
source "$root/tests/e2e/nextflow/launch.sh"

here=$root/tests/e2e/told
tracer up --port 0 >/dev/null
url=$(cat "$TRACER_DATA/lake.url")
tell=$(cat "$TRACER_DATA/tokens/tell")
# told RUN WHO COUNT: so many tasks have names that WHO told, and there are no others.
told() {
	tracer tasks "$1" --json | jq -e --arg by "$2" --argjson count "$3" '(.tasks | length) == $count and
		all(.tasks[]; .told_by == $by)'
}

# snakemake_in FOLDER ARGUMENT…: in that new folder.
snakemake_in() {
	mkdir "$1"
	cp "$here/Snakefile" "$here/plot.py" "$1/"
	(cd "$1" && snakemake --cores 2 "${@:2}" >log 2>&1) || fault "snakemake ${*:2}: $(tail -n 20 "$1/log")"
}
WMS_MONITOR_TOKEN=$tell snakemake_in "$work/rnaseq" --wms-monitor "$url/receive/wms" --wms-monitor-arg name=third_attempt
snakemake_in "$work/silent"
wait_for "the told run has settled under its told name" run_settled third_attempt succeeded 20
wait_for "every task of Snakemake's was told of" told third_attempt wms-monitor 7
expect_rows third_attempt told_snakemake
silent=$(tracer runs --json | jq -er '.runs[] | select(.pipeline == "silent").id')
wait_for "the untold run has settled" run_settled "$silent" succeeded 20
expect_rows "$silent" untold_snakemake
tracer report third_attempt --json >"$work/told"
tracer report "$silent" --json >"$work/untold"
expect "who told is said" '.run.told_by == "wms-monitor"' "$work/told"
expect "where nobody told nobody is named" '.run.told_by == null and all(.tasks[]; .told_by == null)' "$work/untold"
expect "a task is called as its rule and wildcards" 'any(.tasks[]; .name == "sort_lines (liver)")' "$work/told"
WMS_MONITOR_TOKEN=wrong_token_0123 snakemake --snakefile "$here/Snakefile" --cores 1 --wms-monitor "$url/receive/wms" \
	>"$work/refused" 2>&1 && fault "a wrong token was taken"
echo "ok: a wrong token is refused"

# The other engine, an older version of it, takes long.
long || exit 0
# Nextflow makes up its run's name, which stands in no command line; the token stands in its configuration.
mkdir "$work/align"
cp "$root/tests/e2e/nextflow/main.nf" "$work/align/"
echo "weblog { enabled = true; url = '$url/receive/weblog?token=$tell' }
process { withName: FLAKY { cpus = 2; memory = '1 GB' } }" >"$work/align/nextflow.config"
nextflow_jars=$root/build/nextflow_weblog
nextflow "$work/align" run main.nf
name=$(sed -nE 's/^Launching .* \[([a-z]+_[a-z]+)\].*/\1/p' "$work/align/log")
wait_for "Nextflow's run has settled under the name that it made up" run_settled "$name" succeeded 30
wait_for "every task of Nextflow's was told of" told "$name" weblog 9
expect_rows "$name" told_nextflow
tracer report "$name" --json >"$work/told"
expect "its session is known" '.run.engine_run_id | test("^[0-9a-f-]{36}$")' "$work/told"
expect "a task asked for the CPUs and the memory of its process; of one that says none, Nextflow reckons with a CPU" \
	'all(.tasks[]; .requested_by == "nextflow" and [.cpus_requested, .memory_requested_bytes] ==
	(if .step == "FLAKY" then [2, 1073741824] else [1, null] end))' "$work/told"
