# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# A Slurm of the test's own: munged, slurmctld, and two slurmd, each in a network namespace of its own, joined by a bridge in
# slurmctld's. All of it lies in $work/slurm, is heard nowhere else, and its networks go with its processes. Sourced behind lib.sh.

slurm=$work/slurm
export SLURM_CONF=$slurm/slurm.conf
daemons=()

# in_cluster COMMAND…: where slurmctld is.
in_cluster() { nsenter --net="/proc/$cluster/ns/net" "$@"; }

# begin NAME COMMAND…: a daemon that stays in the foreground; its words go to NAME.words. Its pid: $!.
begin() {
	setsid "${@:2}" </dev/null >"$slurm/$1.words" 2>&1 &
	daemons+=($!)
}

write_configuration() {
	local node
	cat >"$SLURM_CONF" <<-END
		ClusterName=e2e
		SlurmctldHost=$(hostname)(198.18.7.1)
		SlurmUser=root
		AuthInfo=socket=$slurm/munge.socket
		StateSaveLocation=$slurm/state
		SlurmdSpoolDir=$slurm/%n
		SlurmctldPidFile=$slurm/slurmctld.pid
		SlurmdPidFile=$slurm/%n.pid
		ProctrackType=proctrack/cgroup
		TaskPlugin=task/cgroup
		JobAcctGatherType=jobacct_gather/none
		SchedulerParameters=sched_interval=1,batch_sched_delay=0
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		ReturnToService=2
		PartitionName=all Nodes=ALL Default=YES OverSubscribe=FORCE:8
	END
	for node in 1 2; do
		echo "NodeName=node$node NodeHostname=$(hostname) NodeAddr=198.18.7.1$node CPUs=$(nproc) RealMemory=256"
	done >>"$SLURM_CONF"
	echo ConstrainRAMSpace=yes >"$slurm/cgroup.conf" # the memory controller has folders for jobs then
}

# has_own_network PID
has_own_network() { [ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/self/ns/net)" ]; }

# join_bridge NODE PID: the network of that process becomes a port of the bridge.
join_bridge() {
	in_cluster ip link add "port$1" type veth peer name eth0 netns "$2"
	in_cluster ip link set "port$1" master lan up
	nsenter --net="/proc/$2/ns/net" ip addr add "198.18.7.1$1/24" dev eth0
	nsenter --net="/proc/$2/ns/net" ip link set lo up
	nsenter --net="/proc/$2/ns/net" ip link set eth0 up
}

begin_munge() {
	head -c 128 /dev/urandom >"$slurm/munge.key"
	chmod 400 "$slurm/munge.key"
	begin munged munged --foreground --force --key-file="$slurm/munge.key" --socket="$slurm/munge.socket" \
		--pid-file="$slurm/munged.pid" --seed-file="$slurm/munged.seed" --log-file="$slurm/munged.log" --num-threads=2
	wait_for "munge answers" munge --socket="$slurm/munge.socket" --no-input
}

begin_control() {
	begin network unshare --net sleep 3600
	cluster=$!
	wait_for "the cluster has a network" has_own_network "$cluster"
	in_cluster ip link set lo up
	in_cluster ip link add lan type bridge
	in_cluster ip addr add 198.18.7.1/24 dev lan
	in_cluster ip link set lan up
	begin slurmctld nsenter --net="/proc/$cluster/ns/net" slurmctld -D -i -f "$SLURM_CONF"
}

# begin_node NODE
begin_node() {
	local pid
	begin "node$1" unshare --net bash -c "until ip -4 addr show dev eth0 up 2>/dev/null | grep -q inet; do sleep 0.1; done
		exec slurmd -D -N node$1 -f $SLURM_CONF"
	pid=$!
	wait_for "node$1 has a network" has_own_network "$pid"
	join_bridge "$1" "$pid"
}

nodes_are_idle() { [ "$(in_cluster sinfo --noheader --Node --states=idle --format=%n | wc -l)" = 2 ]; }
queue_is_empty() { [ -z "$(in_cluster squeue --noheader)" ]; }

slurm_up() {
	mkdir -p "$slurm/state" "$slurm/node1" "$slurm/node2"
	write_configuration
	begin_munge
	begin_control
	begin_node 1
	begin_node 2
	wait_for "both nodes are idle" nodes_are_idle
}

# slurm_down: whatever is left of jobs goes with the nodes; their empty cgroups are removed.
slurm_down() {
	local pid
	[ -z "${cluster:-}" ] || in_cluster timeout 10 scancel --user=root
	for pid in "${daemons[@]}"; do kill -TERM "$pid" 2>/dev/null; done
	for pid in "${daemons[@]}"; do
		timeout 10 tail --pid="$pid" -f /dev/null || kill -KILL "$pid"
		wait "$pid"
	done
	find /sys/fs/cgroup -depth -type d -path '*/slurm_node[12]*' -exec rmdir {} + 2>/dev/null
	! pgrep --full "slurmstepd: \[" >/dev/null || echo "jobs go on" >&2
}
