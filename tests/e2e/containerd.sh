#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Containers of a real containerd, by its socket: their names and images, also after it was away and came back.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

export CONTAINERD_ADDRESS=$work/containerd.sock TRACER_CONTAINERD_SOCKET=$work/containerd.sock TRACER_DOCKER_SOCKET=""
image=docker.io/library/tracer-e2e:7
new_id() { printf '%s' "$work $1" | sha256sum | cut -c1-64; }

start_containerd() {
	containerd -c "$work/containerd.toml" >>"$work/containerd.log" 2>&1 &
	containerd=$!
	wait_for "containerd is up" ctr version
}
kill_containerd() {
	kill -KILL "$containerd"
	wait "$containerd" 2>/dev/null || [ $? = 137 ] # 128 + SIGKILL
}
# remove_tasks NAMESPACE: `ctr task rm -f` ends with the task's own code, or says that it has gone by itself (xargs: 123).
# What counts is that none is left.
remove_tasks() {
	ctr -n "$1" task ls -q | xargs -r -n 1 ctr -n "$1" task rm -f >/dev/null 2>&1 || [ $? = 123 ]
	[ -z "$(ctr -n "$1" task ls -q)" ]
}
clean_up_own() {
	local status=0 name
	[ "$1" = 0 ] || tail -n 20 "$work/containerd.log" >&2
	[ -e "/proc/$containerd" ] || start_containerd
	for name in default k8s.io; do
		remove_tasks $name || status=1
	done
	kill "$containerd"
	wait "$containerd" || status=1
	return "$status"
}

cat >"$work/containerd.toml" <<END
version = 2
root = "$work/containerd"
state = "$work/state"
disabled_plugins = ["io.containerd.grpc.v1.cri"]
[grpc]
  address = "$CONTAINERD_ADDRESS"
END
# An image as docker saves it: one layer, its configuration, its name.
mkdir -p "$work/root/bin" "$work"/root/{proc,dev,sys,lib,lib64,usr,build} "$work/image"
cp /bin/busybox "$work/root/bin/"
for applet in sh sleep true; do ln -s busybox "$work/root/bin/$applet"; done
# What Argo puts into its pods, as far as processes show it: its own program cannot be had here.
cat >"$work/root/bin/argoexec" <<'END'
#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
"$@"
END
chmod +x "$work/root/bin/argoexec"
tar -C "$work/root" -cf "$work/image/layer.tar" .
jq -n --arg layer "sha256:$(sha256sum "$work/image/layer.tar" | cut -c1-64)" --arg machine "$(uname -m)" '{ os: "linux",
	architecture: (if $machine == "aarch64" then "arm64" else "amd64" end), config: {},
	rootfs: { type: "layers", diff_ids: [$layer] } }' >"$work/image/config.json"
jq -n '[{ Config: "config.json", RepoTags: ["tracer-e2e:7"], Layers: ["layer.tar"] }]' >"$work/image/manifest.json"
tar -C "$work/image" -cf "$work/image.tar" manifest.json config.json layer.tar

start_containerd
for name in default k8s.io; do ctr -n $name image import --snapshotter native "$work/image.tar" >/dev/null; done
tracer up --port 0 >/dev/null

# run_in NAMESPACE OPTION… IMAGE ID COMMAND: with what the tracer of this build needs.
run_in() {
	local name=$1 mounts=() folder
	shift
	for folder in lib lib64 usr; do mounts+=(--mount "type=bind,src=/$folder,dst=/$folder,options=rbind:ro"); done
	ctr -n "$name" run --snapshotter native --null-io --mount "type=bind,src=$build,dst=/build,options=rbind:ro" "${mounts[@]}" "$@"
}
containers() { api "/runs/$1/containers"; }
has() { containers "$1" | jq -e "$2"; } # RUN JQ-FILTER
named='.containers | length == 1 and .[0].name != null'

# --- ctr: its containers are named by their ids
id=$(new_id one)
run_in default --rm $image "$id" /build/tracer run --name in-ctr -- /bin/sleep 2
wait_for "the first container has its name" has in-ctr "$named"
containers in-ctr >"$work/containers"
jq --arg id "$id" '. + { id: $id }' "$work/containers" >"$work/first"
expect "containerd says its name and image" '.id as $id | .containers[0] | .runtime == "containerd" and .id == $id and .name == $id and
	.image == "docker.io/library/tracer-e2e:7"' "$work/first"

# --- containerd is away when the agent asks: it is asked again
id=$(new_id two)
labels=(--label io.kubernetes.container.name=align --label io.kubernetes.pod.name=align-0 --label io.kubernetes.pod.namespace=lab)
run_in k8s.io -d "${labels[@]}" $image "$id" /bin/sh -c "sleep 3; /build/tracer run --name in-gap -- /bin/sleep 20"
kill_containerd
wait_for "the second container is seen" has in-gap '.containers | length == 1'
containers in-gap >"$work/containers"
expect "a containerd that is away names nothing" '.containers[0] | .runtime == "containerd" and .name == null and .image == null' \
	"$work/containers"
start_containerd
wait_for "the second container has its name" has in-gap "$named"
containers in-gap >"$work/containers"
expect "the labels of Kubernetes name it, in whichever namespace" '.containers[0] | .name == "align" and .image ==
	"docker.io/library/tracer-e2e:7" and .namespace == "lab" and .pod_name == "align-0"' "$work/containers"

# --- and a new one of the containerd that was started again
id=$(new_id three)
run_in k8s.io --rm --label nerdctl/name=call $image "$id" /build/tracer run --name in-new -- /bin/sleep 2
wait_for "the third container has its name" has in-new "$named"
containers in-new >"$work/containers"
expect "a new container of it has its name and image" '.containers[0] | .name == "call" and .image ==
	"docker.io/library/tracer-e2e:7" and .pod_name == null' "$work/containers"

# --- pods of one workflow of Argo's, with the labels and annotations that its controller gives to their sandboxes
run_node() { # POD NODE
	local sandbox labels=(--label "io.kubernetes.pod.name=$1" --label io.kubernetes.pod.namespace=lab)
	sandbox=$(new_id "sandbox $1")
	ctr -n k8s.io containers create --snapshotter native "${labels[@]}" --label workflows.argoproj.io/workflow=rnaseq-x7kq2 \
		--label "workflows.argoproj.io/node-name=$2" $image "$sandbox"
	run_in k8s.io --rm "${labels[@]}" --label io.kubernetes.container.name=main --label "io.kubernetes.sandbox.id=$sandbox" $image \
		"$(new_id "main $1")" /bin/argoexec emissary --loglevel info -- /bin/sleep 3
}
run_node rnaseq-x7kq2-align-1 'rnaseq-x7kq2[0].align(0:liver)' &
run_node rnaseq-x7kq2-align-2 'rnaseq-x7kq2[0].align(1:kidney)(1)'
wait $!
workflow_is() { tracer runs --json | jq -e '[.runs[] | select(.engine == "argo")] | length == 1 and .[0].tasks == 2 and .[0].status == "succeeded"'; }
wait_for "both pods are one run" workflow_is
tracer report rnaseq-x7kq2 --json >"$work/report"
expect "it is called as the workflow, its tasks as the nodes" '.run.pipeline == "rnaseq" and ([.parts[].reason] == [null, "workflow"]) and
	([.tasks[] | [.step, .sample, .attempt]] | sort == [["align", "kidney", 2], ["align", "liver", 1]])' "$work/report"
echo "containerd: all is well"
