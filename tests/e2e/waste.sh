#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is left open or waits for work costs money: a shell that no one uses any more, and a node of Slurm without jobs. Each is
# found, with the command that ends it; once that is done, it is waste no more.
# shellcheck source-path=SCRIPTDIR disable=SC2016
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=tests/e2e/slurm/cluster.sh
source "$root/tests/e2e/slurm/cluster.sh"

# The agent sees the shell alone: this host does the work of other tests, too.
tree=/sys/fs/cgroup
if [ -e $tree/memory/memory.limit_in_bytes ]; then tree=$tree/memory; fi
mine=$tree/tracer-waste-$$
clean_up_own() {
	local status=0
	[ "$1" = 0 ] || { jq -c '.waste[]' "$work/waste"; tail -n 10 "$slurm"/*.words; } >&2
	slurm_down
	if [ -e "$mine" ]; then
		xargs -r kill -KILL <"$mine/cgroup.procs" 2>/dev/null
		for _ in $(seq 600); do
			rmdir "$mine" 2>/dev/null && break
			sleep 0.1
		done
		[ ! -e "$mine" ] || status=1
	fi
	return "$status"
}
mkdir "$mine"
# Short patience. How busy this host is says nothing of the shell and the node.
cat >"$work/waste.yaml" <<-END
	thresholds:
	  session_patience_s: 20
	  session_short_s: 0
	  worker_patience_s: 20
	  idle_cpu: 1
	  idle_cpus: 1000
	  idle_disk_bytes_s: 1e12
	  idle_net_bytes_s: 1e12
END
slurm_begin() {
	mkdir -p "$slurm/state" "$slurm/node1" "$slurm/node2"
	write_configuration
	begin_munge
	begin_control
	begin_node 1
}
node_is() { [ "$(in_cluster sinfo --noheader --Node --nodes=node1 --format=%T)" = "$1" ]; }
slurm_begin
wait_for "the node is idle" node_is idle
TRACER_WASTE_FILE=$work/waste.yaml TRACER_TRACK="only:/tracer-waste-$$*" TRACER_DRIVERS=on tracer up --port 0 --price-usd-hour 0.5 >/dev/null

printf '>one\nACGTACGT\n' >"$work/one.fa"
apart sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$mine" tmux -L "tracer-$$" -f /dev/null new-session -d -x 100 -y 30 \
	"exec bash --norc --noprofile -i"
wait_for "the shell is open" tmux -L "tracer-$$" has-session
tmux -L "tracer-$$" send-keys "samtools faidx $work/one.fa one && echo done >$work/typed" Enter
wait_for "what was typed has run" test -s "$work/typed"

# found KIND FILTER: it is waste, and goes on.
found() { api /waste?state=open >"$work/waste" && jq -e --arg kind "$1" "any(.waste[]; .kind == \$kind and ($2))" "$work/waste"; }
: >"$work/waste"
wait_for "the node is found" found worker_idle true
expect "it is called as Slurm calls it, with what it costs" 'any(.waste[]; .kind == "worker_idle" and .usd_hour == 0.5 and
	.evidence.worker == "slurmd" and .command == "scontrol update nodename=node1 state=drain reason=idle")' "$work/waste"
command=$(jq -r '.waste[] | select(.kind == "worker_idle").command' "$work/waste")
in_cluster sh -c "$command"
node_is drained || fault "the command did not drain the node: $(in_cluster sinfo)"
echo "ok: the command drains the node"

shell=$(tmux -L "tracer-$$" list-panes -F '#{pane_pid}')
wait_for "the shell is found" found session_idle true
expect "it is the one that is open, of its user" "any(.waste[]; .kind == \"session_idle\" and .who == \"root\" and .evidence.pid == $shell and
	.command == \"kill -HUP $shell\")" "$work/waste"
sh -c "$(jq -r '.waste[] | select(.kind == "session_idle").command' "$work/waste")"
closed() { ! found session_idle true; }
wait_for "the shell is waste no more" closed
api /waste >"$work/ended"
expect "it is known what became of it" 'any(.waste[]; .kind == "session_idle" and .ended_at != null)' "$work/ended"
