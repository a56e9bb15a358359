#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One run on two hosts: Snakemake hands its jobs to another machine's daemon. Two agents, each in a network of its own, each with
# what runs in its own cgroup, and one folder that both see. Then a script on each that shares a trace id, and a host that vanishes.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

tag=t$$
tree=/sys/fs/cgroup
if [ -e $tree/memory/memory.limit_in_bytes ]; then tree=$tree/memory; fi
clean_up_own() {
	local status=0 host
	unset -f tracer
	[ ! -e "$work/node.pid" ] || kill "$(cat "$work/node.pid")" || status=1
	[ ! -e "$work/jobd.pid" ] || kill "$(cat "$work/jobd.pid")" || status=1
	for host in head node; do
		for _ in $(seq 600); do
			if rmdir "$tree/tracer-$tag-$host" 2>/dev/null; then break; fi
			# What is listed may have ended meanwhile.
			xargs -r kill -KILL <"$tree/tracer-$tag-$host/cgroup.procs" 2>/dev/null || true
			sleep 0.1
		done
		[ ! -e "$tree/tracer-$tag-$host" ] || { echo "$host still has processes" >&2; status=1; }
		ip netns del "$tag-$host" || status=1
	done
	return "$status"
}
for host in head node; do
	ip netns add "$tag-$host"
	ip -n "$tag-$host" link set lo up
	mkdir "$tree/tracer-$tag-$host"
done
ip link add "$tag-h" netns "$tag-head" type veth peer name "$tag-n" netns "$tag-node"
ip -n "$tag-head" addr add 10.77.0.1/24 dev "$tag-h" && ip -n "$tag-head" link set "$tag-h" up
ip -n "$tag-node" addr add 10.77.0.2/24 dev "$tag-n" && ip -n "$tag-node" link set "$tag-n" up

# on HOST COMMAND…: in its network and its cgroup, with none of this test's shells above it.
on() {
	local host=$1
	shift
	apart nsenter --net="/run/netns/$tag-$host" sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$tree/tracer-$tag-$host" "$@"
}

# --- the lake on the head, an agent on each
mkdir -p "$TRACER_DATA/tokens"
nsenter --net="/run/netns/$tag-head" "$build/tracer-lake" --listen 10.77.0.1:0 --data-folder "$TRACER_DATA/lake" --url-file "$work/url" \
	--tokens-folder "$TRACER_DATA/tokens" --insecure \
	2>"$TRACER_DATA/lake.log" &
lake=$!
wait_for "the lake listens" test -s "$work/url"
TRACER_LAKE=$(cat "$work/url")
export TRACER_LAKE
curl() { nsenter --net="/run/netns/$tag-head" curl "$@"; }
tracer() { TRACER_TOKEN_FILE=$TRACER_DATA/tokens/read nsenter --net="/run/netns/$tag-head" "$build/tracer" "$@"; }
watch_host() { # HOST: its agent, with a token of its own: one token is of one host
	"$build/tracer-lake" token create --scope ingest --name "$1" --data-folder "$TRACER_DATA/lake" --tokens-folder "$TRACER_DATA/tokens" \
		>"$work/token-$1"
	nsenter --net="/run/netns/$tag-$1" "$build/tracer" collect --host "$1" --state-folder "$TRACER_DATA/agent-$1" --track "only:/tracer-$tag-$1*" \
		--token-file "$work/token-$1" --rules-folder "$work/no-rules" --gpu off 2>"$TRACER_DATA/agent-$1.log" &
}
watch_host head
agent=$!
watch_host node
echo $! >"$work/node.pid"
host_is() {
	api /hosts | jq -e --arg host "$1" --arg status "$2" 'any(.hosts[]; .hostname == $host and .status == $status)'
}
wait_for "the head is up" host_is head up
wait_for "the node is up" host_is node up

# The node's daemon: runs what it finds in a folder, as a scheduler would. (A program that no rule knows.)
mkdir -p "$work/shared/align" "$work/shared/spool"
cp /bin/bash "$work/jobd"
cat >"$work/jobd.sh" <<'END'
while sleep 0.2; do
	for job in "$1"/*.job; do
		if [ -e "$job" ] && mv "$job" "${job%.job}.taken"; then sh "${job%.job}.taken" & fi
	done
done
END
on node "$work/jobd" -c 'echo $$ >"$0"; exec "$1" --norc "$2" "$3"' "$work/jobd.pid" "$work/jobd" "$work/jobd.sh" "$work/shared/spool"
cat >"$work/submit" <<'END'
#!/bin/sh
job=$(mktemp -p "$1" XXXXXX) && cp "$2" "$job.new" && mv "$job.new" "$job.job" && basename "$job"
END
chmod +x "$work/submit"
cd "$work/shared/align"
for sample in liver kidney; do printf '>%s\nACGTACGTACGT\n' "$sample" >"$sample.fa"; done
cat >Snakefile <<'END'
rule all:
    input: "liver.fa.fai", "kidney.fa.fai"
rule index:
    input: "{sample}.fa"
    output: "{sample}.fa.fai"
    shell: "samtools faidx {input}; sleep 1"
END
on head /usr/bin/python3 /usr/bin/snakemake --jobs 2 --latency-wait 60 --cluster "$work/submit $work/shared/spool"
run_of() { tracer runs --json | jq -er "[.runs[] | select($1)] | max_by(.started_at).id"; }
ended() { tracer runs --json | jq -e "any(.runs[]; ($1) and .status != \"running\")"; }
wait_for "Snakemake's run has ended" ended '.engine == "snakemake"'
expect_rows "$(run_of '.engine == "snakemake"')" hosts_snakemake
tracer report "$(run_of '.engine == "snakemake"')" --json >"$work/report"
expect "it was on both hosts, joined by its folder" '.run.hosts == ["head", "node"] and ([.parts[] | [.host, .reason]] | unique) ==
	[["head", null], ["node", "folder"]]' "$work/report"
expect "its tasks ran on the node" 'all(.tasks[]; .host == "node")' "$work/report"
expect "the clocks of both hosts are reported, and agree" 'all(.parts[]; .clock_error_ns > 0 and (.clock_offset_ns | fabs) <= .clock_error_ns + 1e6)' \
	"$work/report"

# --- a trace id that a user gave; the run is that which began first
runs_are() { [ "$(tracer runs --json | jq '.runs | length')" = "$1" ]; }
on head env TRACER_TRACE_ID=trial-7 bash -c 'samtools faidx liver.fa; until [ -e '"$work/both"' ]; do sleep 0.1; done'
wait_for "the head's command is seen" runs_are 2
on node env TRACER_TRACE_ID=trial-7 bash -c 'samtools faidx kidney.fa; touch '"$work/both"'; sleep 1'
wait_for "the commands have ended" ended '.engine == "command"'
trace_run=$(run_of '.engine == "command"')
joined() {
	api "/runs/$trace_run/tasks" | jq -e '.tasks | length == 2' && api "/runs/$trace_run/parts" | jq -e '.parts | length == 2'
}
wait_for "both commands are one run" joined
tracer report "$trace_run" --json >"$work/report"
expect "runs with one trace id are one run" '.run.hosts == ["head", "node"] and (.tasks | length == 2) and
	([.parts[] | [.host, .reason, .value]] == [["head", null, null], ["node", "trace", "trial-7"]])' "$work/report"

tracer runs --json >"$work/runs"
expect "there are no other runs" '[.runs[].engine] | sort == ["command", "snakemake"]' "$work/runs"
tracer report latest --full >"$work/screen"
grep -q "JOINED BY" "$work/screen" || fault "the report does not say where it was"

# --- a host that vanishes: its agent is killed during its part (it takes the lake a minute and more to call a host silent)
long || exit 0
on head env TRACER_TRACE_ID=trial-8 bash -c 'samtools faidx liver.fa; sleep 20'
wait_for "the head's command is seen" runs_are 3
on node env TRACER_TRACE_ID=trial-8 bash -c 'samtools faidx kidney.fa; sleep 60'
wait_for "both are seen" eval 'tracer runs --json | jq -e "any(.runs[]; .status == \"running\" and (.hosts | length == 2))"'
kill -KILL "$(cat "$work/node.pid")" && rm "$work/node.pid"
wait_for "the node is silent" host_is node silent
wait_for "the head's part has ended" eval 'api /runs/latest/parts | jq -e ".parts[0].status == \"succeeded\""'
tracer report latest --json >"$work/report"
expect "what is not known of a silent host is not said to have ended" '[.parts[] | [.host, .status]] ==
	[["head", "succeeded"], ["node", "running"]] and .run.status == "running"' "$work/report"
echo "hosts: all is well"
