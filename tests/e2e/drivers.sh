#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Work that no engine drives: a script, one in Python with processes of its own, make, xargs, GNU parallel, Java, a shell in
# which people type, a tool alone; the agent killed during one. Each is a run with tasks, with nothing said to Tracer.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

here=$root/tests/e2e/drivers
clean_up_own() { ! tmux -L "tracer-$$" has-session 2>/dev/null || tmux -L "tracer-$$" kill-server; }
export TRACER_DRIVERS=on
tracer up --port 0 >/dev/null
mkdir "$work/assembly"
cp "$here"/* "$work/assembly/"
cd "$work/assembly"

# run_of FILTER: the id of the latest run for which it holds.
run_of() { tracer runs --json | jq -er "[.runs[] | select($1)] | max_by(.started_at).id"; }
ended() { tracer runs --json | jq -e "any(.runs[]; ($1) and .status != \"running\")"; }
# A script of some milliseconds waits, after its first tool or at its end, until its run is known: if the agent gets no CPU until the
# script has ended, the script is of no run, and a helper that ended before the agent found the script is not seen
# (docs/engines/scripts.md). hold FILE: make the pipe that the script reads. release FILE FILTER: wait for its run, let it go on.
hold() { mkfifo "$1"; }
running() { tracer runs --json | jq -e "any(.runs[]; ($1) and .status == \"running\")"; }
release() {
	wait_for "a run with $2 is known" running "$2"
	timeout "$deadline" sh -c 'echo >"$1"' release "$1" || fault "the script with $2 does not read $1"
	rm -f "$1"
}
# expect_run FILTER TABLE
expect_run() {
	wait_for "a run with $1 has ended" ended "$1"
	expect_rows "$(run_of "$1")" "$2"
}

hold align.known
apart bash align.sh
release align.known '.pipeline == "align.sh"'
expect_run '.pipeline == "align.sh"' driver_script
tracer report "$(run_of '.pipeline == "align.sh"')" --json >"$work/report"
expect "a pipeline is one task, with all its processes" '[.tasks[] | select(.step == "samtools import | samtools sort")] |
	length == 3 and all(.[]; .tools == ["gzip", "samtools import", "samtools sort"])' "$work/report"
expect "what the script itself did is of the run and of no task" 'any(.processes[]; .tool == "align.sh" and .task_id == null)
	and any(.processes[]; .tool == "seq" and .task_id == null)' "$work/report"
cp out/*.fa .

hold driver.known
apart python3 driver.py liver_1.fa liver_2.fa kidney_1.fa
release driver.known '.pipeline == "driver.py"'
expect_run '.pipeline == "driver.py"' driver_python

apart make -j 2 all
expect_run '.engine == "make"' driver_make

# make in a script is a run of its own, in that script's; what a package manager starts is no run.
mkdir -p bin
printf '#!/usr/bin/env python3\nimport subprocess, sys\nsubprocess.run([sys.executable, "setup.py"], check=True)\n' >bin/pip
chmod +x bin/pip
echo 'import subprocess; subprocess.run(["samtools", "faidx", "liver_2.fa", "liver_2_5"], check=True)' >setup.py
apart bin/pip install tool
printf 'samtools faidx liver_2.fa liver_2_6\nmake last\nread -r _ <outer.end\n' >outer.sh
hold outer.end
apart bash outer.sh
release outer.end '.pipeline == "outer.sh"'
expect_run '.pipeline == "outer.sh"' driver_outer
expect_run '.engine == "make" and .parent_run' driver_inner
tracer runs --json >"$work/runs"
expect "make is in the run of its script" '(.runs | map({(.id): .}) | add) as $by |
	[.runs[] | select(.engine == "make" and $by[.parent_run // ""].pipeline == "outer.sh")] | length == 1' "$work/runs"
expect "what pip starts is no run" 'all(.runs[]; .pipeline | test("pip|setup|liver_2_5") | not)' "$work/runs"
for run in $(jq -r '.runs[] | select(.engine == "command").id' "$work/runs"); do
	if tracer report "$run" --json | grep -q liver_2_5; then fault "what pip starts is the run $run"; fi
done

# A shell that reads its commands from a descriptor is a session, the script in it a run.
printf 'samtools faidx liver_2.fa liver_2_7\nbash count.sh out/liver_2.bam\nsamtools faidx liver_2.fa liver_2_8\nread -r _ <read.end\n' >commands
hold count.end
hold read.end
apart bash -c 'bash /dev/fd/3 3<commands; true'
release count.end '.pipeline == "count.sh"'
release read.end '.engine == "session"'
expect_run '.engine == "session"' driver_read
expect_run '.pipeline == "count.sh"' driver_typed

printf 'samtools faidx liver_2.fa liver_2_1\nread -r _ <spread.known\nls *.fa | xargs -P 2 -n 1 gzip -k\n' >spread.sh
hold spread.known
apart sh spread.sh
release spread.known '.pipeline == "spread.sh"'
expect_run '.pipeline == "spread.sh"' driver_xargs

echo 'parallel --will-cite -j 2 samtools faidx {} {.}_3 ::: liver_1.fa liver_2.fa kidney_1.fa
read -r _ <wide.end' >wide.sh
hold wide.end
apart bash wide.sh
release wide.end '.pipeline == "wide.sh"'
expect_run '.pipeline == "wide.sh"' driver_parallel
apart parallel --will-cite -j 2 samtools faidx {} '{.}_4' ::: liver_1.fa liver_2.fa kidney_1.fa
expect_run '.engine == "parallel"' driver_parallel_alone

# Java: a jar that no rule knows, its class, a jar of a name that one knows; what its threads did.
javac -d classes Burn.java
jar --create --file burn.jar --main-class org.lab.Burn -C classes .
cp burn.jar fgbio.jar
hold java.known
apart bash java.sh
release java.known '.pipeline == "java.sh"'
expect_run '.pipeline == "java.sh"' driver_java
tracer report "$(run_of '.pipeline == "java.sh"')" --json >"$work/report"
jq '{processes: [.processes[] | select(.tool | IN("burn.jar", "org.lab.Burn", "fgbio SortBam"))]}' "$work/report" >"$work/java"
expect "the figures of Java's threads are there" '.processes | length == 3 and all(.[]; .threads_peak >= 4 and
	.user_ns + .kernel_ns >= 3 * 198000000 and .threads_ns > .user_ns and .lock_ns > 0)' "$work/java"
expect "and each nanosecond of theirs is in one state" 'all(.processes[]; .coverage > 0.98)' "$work/java"

apart samtools faidx kidney_1.fa kidney_1_3
expect_run '.engine == "command" and .pipeline == "samtools faidx"' driver_command

# A shell in which people type; what they type after it is a run of its own where it is a script.
tmux -L "tracer-$$" -f /dev/null new-session -d -x 100 -y 30 "exec bash --norc --noprofile -i"
type_in() { tmux -L "tracer-$$" send-keys "$1" Enter; }
type_in 'samtools faidx liver_1.fa liver_1_1 | samtools import -0 - > one.sam; echo done > typed'
wait_for "what was typed has run" test -s typed
cp liver_1.fa one.fa
cp liver_2.fa two.fa
hold count.end
type_in 'bash count.sh out/liver_2.bam; samtools view -c out/liver_2.bam; parallel --will-cite -j 2 samtools faidx ::: one.fa two.fa; exit'
release count.end '.pipeline == "count.sh"'
expect_run '.engine == "session"' driver_session
expect_run '.pipeline == "count.sh"' driver_typed

# The agent is killed during a script, when none of its tools runs, and restarted: it is the same run, with its end.
printf 'samtools faidx liver_1.fa liver_1_1 >made/x\nread -r _ <broken.end\nexit 3\n' >broken.sh
hold broken.end
apart bash broken.sh
wait_for "the script is seen" run_of '.pipeline == "broken.sh" and .tasks == 1'
run=$(run_of '.pipeline == "broken.sh"')
kill -KILL "$(agent_pid)"
tracer up >/dev/null
release broken.end '.pipeline == "broken.sh"'
expect_run '.pipeline == "broken.sh"' driver_restarted
[ "$(tracer runs --json | jq '[.runs[] | select(.pipeline == "broken.sh") | .id] | join(" ")')" = "\"$run\"" ] ||
	fault "not one run: $(tracer runs)"
echo "ok: the agent killed during a script: one run"
