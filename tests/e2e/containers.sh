#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Containers of a real runc and a real docker: their names and images, limits and throttling, starts and stops.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

export DOCKER_HOST=unix://$work/docker.sock TRACER_DOCKER_SOCKET=$work/docker.sock
docker=/usr/bin/docker
id=$(printf '%s' "$work" | sha256sum | cut -c1-64)

clean_up_own() {
	local status=0
	if runc list -q | grep -qxF "$id"; then runc delete --force "$id" || status=1; fi
	if [ -e "$work/docker.pid" ]; then
		$docker ps -aq | xargs -r $docker rm -f >/dev/null || status=1
		kill "$(cat "$work/docker.pid")" && tail --pid="$(cat "$work/docker.pid")" -f /dev/null
	fi
	return "$status"
}

dockerd --iptables=false --bridge=none --data-root "$work/images" --exec-root "$work/exec" -H "$DOCKER_HOST" \
	-p "$work/docker.pid" >"$work/docker.log" 2>&1 &
mkdir -p "$work/root/bin" "$work"/root/{proc,dev,sys,lib,lib64,usr,build,until}
cp /bin/busybox "$work/root/bin/"
for applet in sh sleep true; do ln -s busybox "$work/root/bin/$applet"; done
tracer up --port 0 >/dev/null
wait_for "docker is up" $docker version
tar -C "$work/root" -c . | $docker import - tracer-e2e:7 >/dev/null

# Keeps a CPU busy until the file exists.
spin='while [ ! -e /until/throttled ]; do i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; done'
containers() { api "/runs/$1/containers"; }
has_stopped() { containers "$1" | jq -e 'all(.containers[]; .ended_at != null) and (.containers | length > 0)'; }
is_throttled() { api "/runs/$1/events" | jq -e 'any(.events[]; .kind == "throttled")'; }
has_stop_event() { api "/runs/$1/events" | jq -e 'any(.events[]; .kind == "container_stop")'; }
# spins_until_throttled RUN PID: waits for the event, then lets the container of that process end.
spins_until_throttled() {
	wait_for "$1 is throttled" is_throttled "$1"
	touch "$work/root/until/throttled"
	wait "$2"
	rm "$work/root/until/throttled"
	wait_for "the container's end is known" has_stopped "$1"
	wait_for "the event of its stop has come" has_stop_event "$1"
}
events() { jq -r --arg kind "$2" '[.events[] | select(.kind == $kind) | .summary] | join("\n")' "$1"; }

# --- docker
$docker run --rm --name align-7 --cpus 0.2 --memory 64m -v "$build:/build:ro" -v /lib:/lib:ro -v /lib64:/lib64:ro -v /usr:/usr:ro \
	-v "$work/root/until:/until:ro" tracer-e2e:7 /build/tracer run --name in-docker -- /bin/sh -c "$spin" &
spins_until_throttled in-docker $!
containers in-docker >"$work/containers"
tracer report in-docker --json >"$work/report"
expect "docker says its name and image" '.containers | length == 1 and .[0].runtime == "docker" and
	.[0].name == "align-7" and .[0].image == "tracer-e2e:7" and (.[0].id | length == 64)' "$work/containers"
expect "its limits are those that were set" '.containers[0] | .limits_known and .cpu_limit == 0.2 and
	.memory_limit_bytes == 67108864' "$work/containers"
expect "its throttling is counted" '.containers[0] | .cpu_throttled_periods > 0 and .cpu_throttled_ns > 0 and
	.cpu_throttled_periods <= .cpu_periods and .cpu_ns > 0' "$work/containers"
jq --slurpfile run "$work/report" '. + { run: $run[0].run }' "$work/containers" >"$work/lives"
expect "its run was in its life" '.run as $run | .containers[0] | .started_at <= $run.started_at and .ended_at >= $run.ended_at' "$work/lives"
expect "a task has its image" 'all(.tasks[]; .container_image == "tracer-e2e:7" and .container_name == "align-7")' "$work/report"
jq '[.events[] | select(.kind == "throttled" or (.kind | startswith("container"))) | { happened_at, kind, summary }]' "$work/report" >"$work/events"
expect "its start, its throttling and its stop are events" 'map(.kind) |
	.[0] == "container_start" and .[-1] == "container_stop" and (.[1:-1] | unique) == ["throttled"]' "$work/events"
[ "$(events "$work/report" container_start)" = "docker container align-7 (tracer-e2e:7) started" ] || fault "the start has no name"
tracer report in-docker --full | grep -q "tracer-e2e:7" || fault "the report shows no image"

# --- runc alone: no runtime knows a name
mkdir "$work/bundle"
(cd "$work/bundle" && runc spec)
bundle() { # ID COMMAND [CGROUP [RUN]]
	jq --arg path "${3:-/default/$1}" --arg run "${4:-in-runc}" --arg command "$2" --arg root "$work/root" \
		--arg build "$build" '.process.terminal = false |
		.root.path = $root | .root.readonly = true | .linux.cgroupsPath = $path |
		.process.args = ["/build/tracer", "run", "--name", $run, "--", "/bin/sh", "-c", $command] |
		.linux.resources.cpu = { quota: 20000, period: 100000 } | .linux.resources.memory = { limit: 100663296 } |
		.mounts += [["/lib", "/lib"], ["/lib64", "/lib64"], ["/usr", "/usr"], [$build, "/build"] | { destination: .[1],
			source: .[0], type: "bind", options: ["rbind", "ro"] }]' "$work/bundle/config.json" >"$work/config"
	mv "$work/config" "$work/bundle/config.json"
}
bundle "$id" "$spin"
runc run --bundle "$work/bundle" "$id" &
spins_until_throttled in-runc $!
containers in-runc >"$work/containers"
expect "a container without a name is shown without one" '.containers | length == 1 and .[0].runtime == "containerd" and .[0].name == null and
	.[0].image == null and .[0].path == "/default/" + .[0].id' "$work/containers"
expect "its limits and throttling are seen" '.containers[0] | .cpu_limit == 0.2 and .memory_limit_bytes == 100663296 and
	.cpu_throttled_periods > 0' "$work/containers"
first=$(jq .containers[0].cgroup_id "$work/containers")

# --- the same again, gone before the agent looks: another cgroup of the same path, and no ghost of the first
mv "$work/bundle/config.json" "$work/bundle/spec" && jq '.mounts = .mounts[:-4]' "$work/bundle/spec" >"$work/bundle/config.json"
bundle "$id" "exit 3"
kill -STOP "$(agent_pid)"
runc run --bundle "$work/bundle" "$id" && fault "it should have failed"
kill -CONT "$(agent_pid)"
wait_for "the second has ended" run_is in-runc failed
wait_for "the second container's end is known" has_stopped in-runc
containers in-runc >"$work/containers"
jq --argjson first "$first" '. + { first: $first }' "$work/containers" >"$work/both"
expect "a container that is gone at once is known, and is not the one before it" '.first as $first | .containers |
	length == 1 and .[0].cgroup_id != $first and (.[0].path | startswith("/default/"))' "$work/both"
expect "its peak is known; figures that could not be read are unknown" '.containers[0] | .memory_peak_bytes > 1000000 and
	.cpu_ns == null and .limits_known == false' "$work/containers"
tracer report in-runc --json >"$work/report"
expect "it starts and stops" '[.events[].kind | select(startswith("container"))] == ["container_start", "container_stop"]' \
	"$work/report"

# --- cgroups as kubelet and ECS make them: the pod, task and container that a run works in
in_shape() { # RUN CGROUP
	mv "$work/bundle/config.json" "$work/bundle/spec" && jq '.mounts = .mounts[:-4]' "$work/bundle/spec" >"$work/bundle/config.json"
	bundle "$id" "sleep 1; exit 0" "$2" "$1"
	runc run --bundle "$work/bundle" "$id"
	wait_for "the container of $1 has ended" has_stopped "$1"
	containers "$1" >"$work/containers"
	tracer report "$1" --json >"$work/report"
}
pod=0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9
in_shape in-pod "/kubepods/burstable/pod$pod/$id"
expect "a pod's container is known by its path" '.containers | length == 1 and (.[0] | .runtime == "kubernetes" and .pod == "'$pod'" and
	.qos == "burstable" and .id == "'"$id"'")' "$work/containers"
expect "its work is a task in it" '(.tasks | length == 1) and .tasks[0].container == "'"$id"'" and .tasks[0].status == "succeeded"' "$work/report"
in_shape in-ecs "/ecs/0123456789abcdef0123456789abcdef/0123456789abcdef0123456789abcdef-1234567890"
expect "a task of ECS, or AWS Batch, is known by its path" '.containers | length == 1 and (.[0] | .runtime == "ecs" and
	.job_id == "0123456789abcdef0123456789abcdef")' "$work/containers"
echo "containers: all is well"
