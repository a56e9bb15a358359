#!/usr/bin/env bash
# Containers of a real runc and a real docker: their names and images, limits and throttling, starts and stops.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

export DOCKER_HOST=unix://$work/docker.sock TRACER_DOCKER_SOCKET=$work/docker.sock
docker=/usr/bin/docker
id=$(printf '%s' "$work" | sha256sum | cut -c1-64)

end_containers() {
	local status=$?
	if runc list -q | grep -qxF "$id"; then runc delete --force "$id" || status=1; fi
	if [ -e "$work/docker.pid" ]; then
		$docker ps -aq | xargs -r $docker rm -f >/dev/null || status=1
		kill "$(cat "$work/docker.pid")" && tail --pid="$(cat "$work/docker.pid")" -f /dev/null
	fi
	return "$status"
}
trap 'end_containers; clean_up' EXIT

dockerd --iptables=false --bridge=none --data-root "$work/images" --exec-root "$work/exec" -H "$DOCKER_HOST" \
	-p "$work/docker.pid" >"$work/docker.log" 2>&1 &
mkdir -p "$work/root/bin" "$work"/root/{proc,dev,sys,lib,lib64,usr,build}
cp /bin/busybox "$work/root/bin/"
for applet in sh sleep true; do ln -s busybox "$work/root/bin/$applet"; done
tracer up --port 0 >/dev/null
wait_for 30 "docker is up" $docker version
tar -C "$work/root" -c . | $docker import - tracer-e2e:7 >/dev/null

# Spins long enough to use up a fifth of a CPU in several intervals of samples.
spin='end=$(($(date +%s) + 8)); while [ "$(date +%s)" -lt $end ]; do i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; done'
containers() {
	curl -fsS -H "Authorization: Bearer $(cat "$TRACER_DATA/tokens/read")" \
		"$(cat "$TRACER_DATA/lake.url")/api/v1/runs/$1/containers"
}
has_stopped() { containers "$1" | jq -e 'all(.containers[]; .ended_at != null) and (.containers | length > 0)'; }
events() { jq -r --arg kind "$2" '[.events[] | select(.kind == $kind) | .summary] | join("\n")' "$1"; }

# --- docker
$docker run --rm --name align-7 --cpus 0.2 --memory 64m -v "$build:/build:ro" -v /lib:/lib:ro -v /lib64:/lib64:ro -v /usr:/usr:ro \
	tracer-e2e:7 /build/tracer run --name in-docker -- /bin/sh -c "$spin"
wait_for 20 "the container's end is known" has_stopped in-docker
containers in-docker >"$work/containers"
tracer report in-docker --json >"$work/report"
expect "docker says its name and image" '.containers | length == 1 and .[0].runtime == "docker" and
	.[0].name == "align-7" and .[0].image == "tracer-e2e:7" and (.[0].id | length == 64)' "$work/containers"
expect "its limits are those that were set" '.containers[0] | .limits_known and .cpu_limit == 0.2 and
	.memory_limit_bytes == 67108864' "$work/containers"
expect "its throttling is counted" '.containers[0] | .cpu_throttled_periods >= 10 and .cpu_throttled_ns > 1e8 and
	.cpu_throttled_periods <= .cpu_periods and .cpu_ns > 2e8 and .cpu_ns < 3e9' "$work/containers"
expect "it lived as long as its run" '.containers[0] | (.ended_at[0:19] + "Z" | fromdate) -
	(.started_at[0:19] + "Z" | fromdate) | . >= 7 and . <= 30' "$work/containers"
expect "a task has its image" 'all(.tasks[]; .container_image == "tracer-e2e:7" and .container_name == "align-7")' "$work/report"
expect "its start, its throttling (once) and its stop are events" '[.events[].kind | select(startswith("container") or
	. == "throttled")] == ["container_start", "throttled", "container_stop"]' "$work/report"
[ "$(events "$work/report" container_start)" = "docker container align-7 (tracer-e2e:7) started" ] || fault "the start has no name"
tracer report in-docker | grep -q "tracer-e2e:7" || fault "the report shows no image"

# --- runc alone: nobody knows a name
mkdir "$work/bundle"
(cd "$work/bundle" && runc spec)
bundle() { # ID COMMAND
	jq --arg id "$1" --arg command "$2" --arg root "$work/root" --arg build "$build" '.process.terminal = false |
		.root.path = $root | .root.readonly = true | .linux.cgroupsPath = "/default/" + $id |
		.process.args = ["/build/tracer", "run", "--name", "in-runc", "--", "/bin/sh", "-c", $command] |
		.linux.resources.cpu = { quota: 20000, period: 100000 } | .linux.resources.memory = { limit: 100663296 } |
		.mounts += [["/lib", "/lib"], ["/lib64", "/lib64"], ["/usr", "/usr"], [$build, "/build"] | { destination: .[1],
			source: .[0], type: "bind", options: ["rbind", "ro"] }]' "$work/bundle/config.json" >"$work/config"
	mv "$work/config" "$work/bundle/config.json"
}
bundle "$id" "$spin"
runc run --bundle "$work/bundle" "$id"
wait_for 20 "the container's end is known" has_stopped in-runc
containers in-runc >"$work/containers"
expect "what nobody names has no name" '.containers | length == 1 and .[0].runtime == "containerd" and .[0].name == null and
	.[0].image == null and .[0].path == "/default/" + .[0].id' "$work/containers"
expect "its limits and throttling are seen" '.containers[0] | .cpu_limit == 0.2 and .memory_limit_bytes == 100663296 and
	.cpu_throttled_periods >= 10' "$work/containers"
first=$(jq .containers[0].cgroup_id "$work/containers")

# --- the same again, gone at once: another cgroup of the same path, and no ghost of the first
mv "$work/bundle/config.json" "$work/bundle/spec" && jq '.mounts = .mounts[:-4]' "$work/bundle/spec" >"$work/bundle/config.json"
bundle "$id" "exit 3"
runc run --bundle "$work/bundle" "$id" && fault "it should have failed"
wait_for 20 "the second has ended" run_is in-runc failed
wait_for 20 "the second container's end is known" has_stopped in-runc
containers in-runc >"$work/containers"
jq --argjson first "$first" '. + { first: $first }' "$work/containers" >"$work/both"
expect "a container that is gone at once is known, and is not the one before it" '.first as $first | .containers |
	length == 1 and .[0].cgroup_id != $first and (.[0].path | startswith("/default/"))' "$work/both"
expect "what it used is known" '.containers[0] | .cpu_ns > 0 and .memory_peak_bytes > 0' "$work/containers"
tracer report in-runc --json >"$work/report"
expect "it starts and stops" '[.events[].kind | select(startswith("container"))] == ["container_start", "container_stop"]' \
	"$work/report"
echo "containers: all is well"
