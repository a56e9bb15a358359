#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Work that is wasted, for real: an engine is killed while its task runs, and two users run the same step on the same file. Both are found,
# and the command that is printed for the first ends it.
# shellcheck source-path=SCRIPTDIR
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cat >"$work/waste.yaml" <<'YAML'
thresholds: {engine_patience_s: 1, repeat_wall_s: 0.001}
YAML
TRACER_WASTE_FILE=$work/waste.yaml TRACER_SETTLE_AFTER=1s tracer up --port 0 >/dev/null

mkdir "$work/shared"
seq 50000 | shuf --random-source=<(yes) >"$work/shared/reads.txt"
cat >"$work/shared/Snakefile" <<'SNAKEFILE'
rule counts:
    input: config["reads"]
    output: "counts.txt"
    shell: "sort {input} | uniq -c > {output}"
rule left:
    input: config["reads"]
    output: "left.txt"
    shell: "cat {input} > part.txt; sleep 1000; mv part.txt {output}"
SNAKEFILE
# snakemake_in FOLDER USER RULE: Snakemake in a copy of the project, as the user with this number, in the place of this shell.
snakemake_in() {
	mkdir "$work/$1"
	cp "$work/shared/Snakefile" "$work/$1/"
	chown -R "$2:$2" "$work/$1"
	cd "$work/$1"
	exec setpriv --reuid "$2" --regid "$2" --clear-groups env HOME="$work/$1" snakemake "$3" --cores 1 --config reads="$work/shared/reads.txt"
}
# waste KIND RUN FILTER: that is found of this test's run, as jq's filter has it; "$work/waste" is what is found of it.
waste() {
	api "/waste?state=open&kind=$1" | jq --arg run "$2-" '[.waste[] | select(.summary | contains($run))]' >"$work/waste" &&
		jq -e "length == 1 and (.[0] | $3)" "$work/waste" >/dev/null
}
# What is not ended yet: all that runs in the folder of the engine that was killed.
clean_up_own() {
	local pid
	[ "$1" = 0 ] || jq -c . "$work/waste" >&2 2>/dev/null
	for pid in /proc/[0-9]*; do
		if [ "$(readlink "$pid/cwd")" = "$work/waste_left" ]; then kill -KILL "${pid#/proc/}"; fi
	done
	return 0
}

(snakemake_in waste_first 2 counts) >"$work/log" 2>&1 || fault "Snakemake failed: $(cat "$work/log")"
(snakemake_in waste_again 4 counts) >"$work/log" 2>&1 || fault "Snakemake failed: $(cat "$work/log")"
(snakemake_in waste_left 2 left) >"$work/log" 2>&1 &
engine=$!
soon "the task has begun" test -s "$work/waste_left/part.txt"
kill -KILL "$engine"
status=0
wait "$engine" || status=$?
[ "$status" = 137 ] || fault "the engine ended with $status, not by SIGKILL"

wait_for "the task is found that outlives its engine" waste engine_gone waste_left '.confidence == "high" and .evidence.run_status == "killed"'
command=$(jq -r '.[0].command' "$work/waste")
[[ $command =~ ^kill\ [0-9\ ]+$ ]] || fault "no command to end it: $command"
for pid in ${command#kill }; do [ -e "/proc/$pid" ] || fault "there is no process $pid of: $command"; done
expect "it is said of which run and user" '.[0] | .who == "'"$(id -nu 2)"'" and .run_id' "$work/waste"
$command
gone() {
	! waste engine_gone waste_left true && jq -e 'length == 0' "$work/waste"
}
wait_for "it is found no more once the command was run" gone

wait_for "the step is found that another user did again" waste work_repeated waste_again '(.evidence.tasks == 1) and .evidence.same_files == "yes"'
expect "of two users, with what would have saved it" '.[0] | .evidence.first_user != .who and (.evidence.inputs == 1) and
	(.command | test("snakemake --cache")) and (.summary | test("very same files"))' "$work/waste"
