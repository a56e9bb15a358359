#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `docker run` in a pipeline: what runs in the container descends from a daemon, and is the task's that asked for it. From a
# script, two at once, one with the command in its image, and from Snakemake; a container of somebody else is not tracked.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

export DOCKER_HOST=unix://$work/docker.sock TRACER_DOCKER_SOCKET=$work/docker.sock TRACER_DRIVERS=on
clean_up_own() {
	local status=0
	if [ -e "$work/docker.pid" ]; then
		docker ps -aq | xargs -r docker rm -f >/dev/null || status=1
		kill "$(cat "$work/docker.pid")" && tail --pid="$(cat "$work/docker.pid")" -f /dev/null
	fi
	return "$status"
}
dockerd --iptables=false --bridge=none --data-root "$work/images" --exec-root "$work/exec" -H "$DOCKER_HOST" \
	-p "$work/docker.pid" >"$work/docker.log" 2>&1 &
mkdir -p "$work"/root/{bin,proc,dev,sys,lib,lib64,usr,data} "$work/align"
cp /bin/busybox "$work/root/bin/"
for applet in sh sleep cat; do ln -s busybox "$work/root/bin/$applet"; done
printf '#!/bin/sh\nexec /usr/bin/samtools "$@"\n' >"$work/root/bin/lab-tool"
chmod +x "$work/root/bin/lab-tool"
wait_for "docker is up" docker version
tar -C "$work/root" -c . | docker import - tracer-e2e:7 >/dev/null
tar -C "$work/root" -c . | docker import --change 'CMD ["/bin/sh", "-c", "cd /data; samtools faidx own.fa"]' - tracer-e2e:own >/dev/null
tracer up --port 0 >/dev/null

cd "$work/align"
for name in liver_1 liver_2 heart_1 heart_2 lone own; do printf '>%s\nACGTACGTACGT\n' "$name" >"$name.fa"; done
run_of() { tracer runs --json | jq -er "[.runs[] | select($1)] | max_by(.started_at).id"; }
ended() { tracer runs --json | jq -e "any(.runs[]; ($1) and .status != \"running\")"; }

docker='docker run --rm -v "$PWD:/data" -w /data -v /lib:/lib:ro -v /lib64:/lib64:ro -v /usr:/usr:ro'
cat >align.sh <<END
$docker tracer-e2e:7 samtools faidx liver_1.fa
$docker tracer-e2e:7 sh -c 'samtools faidx liver_2.fa; sleep 1; samtools import -0 liver_2.fa -o liver_2.bam' &
$docker --name heart tracer-e2e:7 sh -c 'sleep 1; samtools faidx heart_1.fa; samtools faidx none.fa' &
wait
$docker tracer-e2e:own
END
apart bash align.sh
apart bash -c "cd $PWD; exec $docker tracer-e2e:7 samtools faidx lone.fa"
wait_for "the script has ended" ended '.pipeline == "align.sh"'
wait_for "the lone container has ended" ended '.engine == "command" and .pipeline == "samtools faidx"'
expect_rows "$(run_of '.pipeline == "align.sh"')" docker_script
expect_rows "$(run_of '.engine == "command" and .pipeline == "samtools faidx"')" docker_command
tracer report "$(run_of '.pipeline == "align.sh"')" --json >"$work/report"
expect "tasks have the image and name of their containers" '[.tasks[] | [.container_image, .container_name == "heart"]] |
	sort == [["tracer-e2e:7", false], ["tracer-e2e:7", false], ["tracer-e2e:7", true], ["tracer-e2e:own", false]]' "$work/report"

cat >Snakefile <<END
rule all:
    input: expand("heart_{n}.fa.fai", n=[1, 2])
rule index:
    input: "{sample}.fa"
    output: "{sample}.fa.fai"
    shell: '$docker tracer-e2e:7 lab-tool faidx {input}'
END
rm -f ./*.fai
snakemake --cores 2 --quiet >"$work/snakemake.log" 2>&1 || fault "Snakemake failed: $(cat "$work/snakemake.log")"
wait_for "Snakemake's run has ended" ended '.engine == "snakemake" and .pipeline == "align"'
expect_rows "$(run_of '.engine == "snakemake" and .pipeline == "align"')" docker_snakemake
tracer runs --json >"$work/runs"
expect "nothing in a container is a run of its own" '[.runs[] | select(.pipeline | test("^(samtools|lab-tool|docker run)")) | .engine] ==
	["command"]' "$work/runs"

# Where the runtime cannot be asked, or a container is gone before it could be: what its client asked for is known.
kill -TERM "$(agent_pid)" && tail --pid="$(agent_pid)" -f /dev/null
TRACER_DOCKER_SOCKET=$work/none tracer up >/dev/null
echo "$docker --name kidney tracer-e2e:7 samtools faidx liver_1.fa" >again.sh
apart bash again.sh
wait_for "the second script has ended" ended '.pipeline == "again.sh"'
wait_for "all of it is in the lake" delivered
tracer report "$(run_of '.pipeline == "again.sh"')" --json >"$work/report"
expect "a container has the image and the name that were asked for" \
	'[.tasks[] | [.container_image, .container_name]] == [["tracer-e2e:7", "kidney"]]' "$work/report"
echo "docker: all is well"
