#!/usr/bin/env bash
# Makes the recorded runs of this folder again, with real engines in a throw-away folder: NAME.rec (docs/recorded.md), and
# NAME.expected, what the report of its replay must say. About three minutes for all of them.
#
#     sudo tests/data/runs/record.sh [NAME…]               all of them, or these
#     tests/data/runs/record.sh --expected [NAME…]         only NAME.expected, of NAME.rec as it is; needs no root
#
# Needs what the end-to-end tests need (scripts/test.sh installs and fetches it) and build/release. A run's user, paths and
# names are those of the throw-away folder, its host is called lab-1. A new recording is a function below and a name in `all`.
# shellcheck source-path=SCRIPTDIR disable=SC2016,SC2317
# A script that starts an engine is a run itself, and all that it started is in it, the daemons of docker and Slurm, too.
# shellcheck disable=SC1090
[ "$0" != "${BASH_SOURCE[0]}" ] || exec bash -c 'script=$1; shift; . "$script"' record "${BASH_SOURCE[0]}" "$@"
export TRACER_BUILD=${TRACER_BUILD:-$(dirname "${BASH_SOURCE[0]}")/../../../build/release} TRACER_DRIVERS=on
TRACER_BUILD=$(realpath "$TRACER_BUILD")
# shellcheck source=tests/e2e/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../../e2e/lib.sh"
# shellcheck source=tests/e2e/nextflow/launch.sh
source "$root/tests/e2e/nextflow/launch.sh"
# shellcheck source=tests/e2e/slurm/cluster.sh
source "$root/tests/e2e/slurm/cluster.sh"

here=$root/tests/data/runs
# A pipeline may call tracer itself, and its path is in the recording.
mkdir -p "$work/opt/tracer"
cp "$build"/{tracer,tracer-lake,libduckdb.so} "$work/opt/tracer/"
PATH=$work/opt/tracer:$PATH
all=(demo snakemake_retries snakemake_failed nextflow nextflow_failed nextflow_killed cwltool script_failed make_failed
	python_driver luigi tool session restarted slurm_array docker)

up() { tracer up --price-usd-hour 0.096 "$@" >/dev/null; }

# Each function runs something and sets `wanted`, a jq filter for its row of `tracer runs --json`.
demo() {
	cp -r "$root/demo" "$folder/"
	(cd "$folder/demo" && snakemake --cores 2 --config genome=400000 pairs=12000) >"$folder/log" 2>&1
	wanted='.pipeline == "demo" and .status == "succeeded"'
}
snakemake_retries() { # one of its jobs fails at its first attempts
	mkdir "$folder/rnaseq" && cp "$root"/tests/e2e/snakemake/{Snakefile,*.smk,*.py} "$folder/rnaseq/"
	(cd "$folder/rnaseq" && snakemake --retries 1 --cores 2) >"$folder/log" 2>&1
	wanted='.engine == "snakemake" and .status == "succeeded" and .pipeline == "rnaseq"'
}
snakemake_failed() { # a rule of each kind fails, the others do not
	mkdir "$folder/rnaseq" && cp "$root"/tests/e2e/snakemake/{Snakefile,*.smk,*.py} "$folder/rnaseq/"
	(cd "$folder/rnaseq" && snakemake --snakefile broken.smk --keep-going --cores 2) >"$folder/log" 2>&1 || true
	wanted='.engine == "snakemake" and .status == "failed" and .pipeline == "rnaseq"'
}
flow() { # flow NAME STATUS ARGUMENT…: Nextflow runs main.nf of the folder
	cp "$root/tests/e2e/nextflow/nextflow.config" "$folder/"
	[ -d "$work/opt/nextflow" ] || { mkdir -p "$work/opt" && cp -rL "$root/build/nextflow" "$work/opt/"; }
	nextflow_jars=$work/opt/nextflow
	(nextflow "$folder" run main.nf -name "$1" "${@:3}") || [ "$2" != succeeded ]
	wanted=".name == \"$1\" and .status == \"$2\""
}
nextflow_succeeded() { # a retry, and a failure that is ignored
	cp "$root/tests/e2e/nextflow/main.nf" "$folder/"
	flow happy_darwin succeeded
}
nextflow_failed() {
	cat >"$folder/main.nf" <<-'END'
		process ALIGN {
		    tag "$sample"
		    input:
		    val sample
		    output:
		    path "${sample}.txt"
		    script:
		    """
		    seq 50000 | sort -r > ${sample}.txt
		    """
		}
		process CHECK {
		    cpus 2
		    memory '1 GB'
		    input:
		    path lines
		    script:
		    """
		    gzip -c $lines > /dev/null
		    grep -q no-such-line $lines || exit 7
		    """
		}
		workflow { ALIGN(Channel.of('liver_1', 'kidney_1')) | CHECK }
	END
	flow sad_turing failed
}
nextflow_killed() { # one task is killed at its memory limit
	local cgroup
	cgroup=$(own_memory_cgroup)/recorded_$$
	mkdir "$cgroup"
	limit_memory "$cgroup" $((48 << 20))
	cp "$root/tests/e2e/nextflow/main.nf" "$folder/"
	flow hungry_noether succeeded --cgroup "$cgroup"
	rmdir "$cgroup"
}
cwltool_align() {
	cp "$root"/tests/e2e/cwl/* "$folder/"
	(cd "$folder" && cwltool --parallel --outdir out align.cwl job.yml) >"$folder/log" 2>&1
	wanted='.engine == "cwltool" and .status == "succeeded"'
}
script_failed() { # in the middle of a pipe
	cat >"$folder/align.sh" <<-'END'
		#!/usr/bin/env bash
		set -euo pipefail
		seq 20000 | awk '{ print ">liver_1_" $1; print "ACGTACGTACGTACGTACGT" }' >liver_1.fa
		samtools faidx liver_1.fa
		gzip -c liver_1.fa | samtools view -b no-such-option - | samtools sort -o liver_1.bam -
		samtools flagstat liver_1.bam
	END
	(cd "$folder" && apart bash align.sh)
	wanted='.pipeline == "align.sh" and .status == "failed"'
}
make_failed() {
	printf 'all: one two\none:\n\tseq 20000 | sort -r > one\ntwo: one\n\tgzip -c one > one.gz\n\tgzip -t one\n' >"$folder/Makefile"
	(cd "$folder" && apart make -j 2 all)
	wanted='.engine == "make" and .status == "failed"'
}
python_driver() {
	local sample
	cp "$root/tests/e2e/drivers/driver.py" "$folder/"
	for sample in liver_1 liver_2 kidney_1; do printf '>%s\nACGTACGTACGT\n' $sample >"$folder/$sample.fa"; done
	echo >"$folder/driver.known" # it reads a line of it, for tests that make it wait
	(cd "$folder" && apart python3 driver.py liver_1.fa liver_2.fa kidney_1.fa)
	wanted='.pipeline == "driver.py" and .status == "succeeded"'
}
luigi() {
	cp "$root"/tests/e2e/luigi/{flow.py,luigi.cfg} "$folder/"
	mkdir -p "$work/opt" && cp -rL "$root/build/luigi" "$work/opt/"
	sed -i "1s|^#!.*|#!$work/opt/luigi/bin/python3|" "$work/opt/luigi/bin/luigi"
	(cd "$folder" && PYTHONPATH=. "$work/opt/luigi/bin/luigi" --module flow All --local-scheduler --workers 1) >"$folder/log" 2>&1
	wanted='.engine == "luigi" and .status == "succeeded"'
}
tool() { # alone
	printf '>liver_1\nACGTACGTACGT\n' >"$folder/liver_1.fa"
	(cd "$folder" && apart samtools faidx liver_1.fa)
	wanted='.engine == "command" and .status == "succeeded"'
}
session() { # in which somebody types
	printf '>liver_1\nACGTACGTACGT\n' >"$folder/liver_1.fa"
	(cd "$folder" && tmux -L "tracer-$$" -f /dev/null new-session -d -x 100 -y 30 "HOME=$folder exec bash --norc --noprofile -i")
	tmux -L "tracer-$$" send-keys 'samtools faidx liver_1.fa && samtools import -0 liver_1.fa >one.sam; samtools view -c one.sam; echo done >typed' Enter
	wait_for "what was typed has run" test -s "$folder/typed"
	tmux -L "tracer-$$" send-keys 'exit' Enter
	wanted='.engine == "session" and .status != "running"'
}
restarted() { # the agent is killed during the run, and restarted
	local seen='[.runs[] | select(.pipeline == "broken.sh" and .tasks >= 1)] | length == 1'
	printf '>liver_1\nACGTACGTACGT\n' >"$folder/liver_1.fa"
	printf 'samtools faidx liver_1.fa\nwhile [ -e liver_1.fa ] && [ ! -e go ]; do sleep 1; done\nsamtools import -0 liver_1.fa -o liver_1.bam\nsamtools faidx none.fa\n' \
		>"$folder/broken.sh"
	(cd "$folder" && apart bash broken.sh)
	wait_for "the script is seen" eval "tracer runs --json | jq -e '$seen'"
	wait_for "all is delivered" delivered
	kill -KILL "$(agent_pid)"
	wait_for "the agent has gone" test ! -e "/proc/$(agent_pid)"
	up
	touch "$folder/go"
	wanted='.pipeline == "broken.sh" and .status == "failed"'
}
slurm_array() { # the third of its jobs fails
	slurm_up
	cp "$root/tests/e2e/slurm/count.sh" "$folder/"
	mkdir "$folder/out" # of no tool's: one that this shell called would make it a run, with the daemons
	printf '@HD\tVN:1.6\nliver_1\t4\t*\t0\t0\t*\t*\t0\t0\tACGTACGTACGT\t*\n' >"$folder/out/liver_1.bam"
	(cd "$folder" && in_cluster sbatch --parsable --array=1-3 count.sh) >"$folder/log" 2>&1
	wait_for "the array has run" queue_is_empty
	wanted='.engine == "slurm" and .status == "failed" and .tasks == 3'
}
docker() { # a script with tools that run in containers
	local socket=unix://$work/docker.sock run='docker run --rm -v "$PWD:/data" -w /data -v /lib:/lib:ro -v /lib64:/lib64:ro -v /usr:/usr:ro'
	dockerd --iptables=false --bridge=none --data-root "$work/images" --exec-root "$work/exec" -H "$socket" -p "$work/docker.pid" \
		>"$work/docker.log" 2>&1 &
	mkdir -p "$work"/root/{bin,proc,dev,sys,lib,lib64,usr,data}
	cp /bin/busybox "$work/root/bin/" && ln -s busybox "$work/root/bin/sh"
	wait_for "docker is up" env DOCKER_HOST="$socket" docker version
	tar -C "$work/root" -c . | DOCKER_HOST=$socket command docker import - lab/align:7 >/dev/null
	printf '>liver_1\nACGTACGTACGT\n' >"$folder/liver_1.fa"
	printf '%s lab/align:7 %s\n' "$run" "samtools faidx liver_1.fa" "$run" "sh -c 'samtools import -0 liver_1.fa -o liver_1.bam; samtools faidx none.fa'" >"$folder/align.sh"
	(cd "$folder" && DOCKER_HOST=$socket apart bash align.sh)
	wanted='.pipeline == "align.sh" and .status != "running"'
}

clean_up_own() {
	! tmux -L "tracer-$$" has-session 2>/dev/null || tmux -L "tracer-$$" kill-server
	[ -z "${cluster:-}" ] || slurm_down
	if [ -e "$work/docker.pid" ]; then
		kill "$(cat "$work/docker.pid")" && tail --pid="$(cat "$work/docker.pid")" -f /dev/null
	fi
	return 0
}

# the_run SINCE: run is the id of the latest run that is wanted and began since.
the_run() {
	run=$(tracer runs --json | jq -er --arg since "$1" "[.runs[] | select(.started_at >= \$since and ($wanted))] | max_by(.started_at).id")
}
# The replay's report has the totals of the run that was recorded (what a run costs depends on what else ran).
expect_replay() {
	tracer report "$1" --json | jq -S '.totals | del(.cost_usd, .lost_records)' >"$work/before"
	jq -S '.totals | del(.cost_usd, .lost_records)' "$2" >"$work/after"
	cmp -s "$work/before" "$work/after" || fault "$name: the replay's totals differ: $(diff "$work/before" "$work/after")"
}
# record NAME: does what it does, records its run, and says what a replay of it is to show.
record() {
	local name=$1 since run replayed
	since=$(date -u +%Y-%m-%dT%H:%M:%S)
	folder=$work/$name
	mkdir "$folder"
	case $name in nextflow) nextflow_succeeded ;; cwltool) cwltool_align ;; *) "$name" ;; esac
	wait_for "the run of $name" the_run "$since"
	the_run "$since"
	wait_final "$run"
	tracer record --force --hostname lab-1 -o "$here/$name.rec" "$run"
	replayed=$(tracer replay --json "$here/$name.rec" | jq -r .run)
	tracer report "$replayed" --json >"$work/report"
	expect_replay "$run" "$work/report"
	expect_anew "$name"
}

# expect_anew NAME: what a replay of its recording shows.
expect_anew() {
	tracer report "$(tracer replay --json "$here/$1.rec" | jq -r .run)" --json | jq -S -f "$here/expected.jq" >"$here/$1.expected"
}

only_expected=
if [ "${1:-}" = --expected ]; then
	only_expected=1
	shift
fi
names=("$@")
[ ${#names[@]} -gt 0 ] || names=("${all[@]}")
for name in "${names[@]}"; do
	printf '%s\n' "${all[@]}" | grep -qx "$name" || fault "there is no recording '$name': ${all[*]}"
done
if [ -n "$only_expected" ]; then
	tracer up --replay --port 0 >/dev/null
	for name in "${names[@]}"; do expect_anew "$name"; done
	exit
fi
export TRACER_DOCKER_SOCKET=$work/docker.sock
up --port 0
for name in "${names[@]}"; do record "$name"; done
cat "$here"/*.rec | wc -c | xargs printf '%s bytes in all\n'
