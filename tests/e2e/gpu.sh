#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a run does on a GPU, from the driver's library to the API: with the library that the tests play it by.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

mkdir "$work/nvml"
install -m 755 "$root/build/debug/tests/nvml-new/libnvidia-ml.so.1" "$work/nvml/"
# gpu FACTS…: what the driver says from now on.
gpu() {
	printf '%s\n' 'gpu 0 uuid GPU-aaaa' 'gpu 0 name NVIDIA Fake 9000' 'gpu 0 memory 80000000000 5000000000' \
		'gpu 0 util 50 10' 'gpu 0 power 350000' 'gpu 0 reasons 0x4' "$@" >"$work/nvml/state.new"
	mv "$work/nvml/state.new" "$work/nvml/state"
}
gpu
tracer doctor --gpu on --gpu-library-folder "$work/nvml" >"$work/doctor"
grep -q 'ok .*GPU, nvidia .*NVIDIA Fake 9000, 74.5 GiB' "$work/doctor" || fault "doctor: $(grep GPU "$work/doctor")"
# What the programs of this machine's users say must not be believed by root's agent.
install -d -m 777 "$work/anybodys"
cp "$work/nvml/libnvidia-ml.so.1" "$work/anybodys/"
tracer doctor --gpu on --gpu-library-folder "$work/anybodys" >"$work/doctor"
grep -q 'absent .*GPU, nvidia .*not loaded' "$work/doctor" || fault "doctor: $(grep GPU "$work/doctor")"

tracer up --port 0 >/dev/null
kill -TERM "$(agent_pid)"
wait_for "the agent stops" test ! -e "$TRACER_DATA/agent/control.sock"
tracer collect --gpu on --gpu-library-folder "$work/nvml" --lake "$(cat "$TRACER_DATA/lake.url")" \
	--token-file "$TRACER_DATA/tokens/ingest" --state-folder "$TRACER_DATA/agent" --sample-interval 1s 2>"$work/agent.log" &
agent=$!
wait_for "the agent watches" test -S "$TRACER_DATA/agent/control.sock"

tracer run --name train -- sh -c 'echo $$ >"$0" && exec sleep 8' "$work/pid" &
train=$!
wait_for "the run begins" test -s "$work/pid"
gpu "gpu 0 compute $(cat "$work/pid") 4000000000" "gpu 0 busy $(cat "$work/pid") 40" 'gpu 0 compute 4194304 1000'
wait $train || fault "the run ended with $?"
wait_for "the run is delivered" run_settled train succeeded 1
tracer report train --json >"$work/report"
expect "the process kept the GPU busy, for no more than 40 % of its life" \
	'([.processes[].gpu_busy_ns] | add) as $busy | $busy > 0 and $busy <= .run.wall_s * 0.4e9 + 1e8' "$work/report"
expect "and its memory was on it" '[.processes[].gpu_memory_peak_bytes] | max == 4000000000' "$work/report"
expect "the run has what its processes have" \
	'.totals.gpu_busy_ns == ([.processes[].gpu_busy_ns] | add)' "$work/report"

# The host's samples come behind what ended.
busy=$(jq .totals.gpu_busy_ns "$work/report")
host_has_all() {
	api "/hosts/$(hostname)?hours=1" >"$work/host" &&
		jq -e "(.gpu_samples | map(.tracked_busy_ns) | add) == $busy" "$work/host"
}
wait_for "of the host's GPU just what the run used is explained" host_has_all
expect "the host has its GPU" '.gpus | length == 1 and .[0].name == "NVIDIA Fake 9000" and .[0].gone_at == null' "$work/host"
expect "half of the time it was busy, and what throttled it is reported" \
	'.gpu_samples | ((map(.busy_ns) | add) / (map(.busy_known_ns) | add)) as $share |
		$share > 0.49 and $share < 0.51 and
		all(.[]; .throttle_reasons == ["power_cap"] and .power_mean_mw == 350000)' "$work/host"
kill -TERM $agent
wait $agent
