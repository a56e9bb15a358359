#!/usr/bin/env bash
# How exact the recorded figures are: a driver does known things in COUNT processes, and what Tracer recorded is held
# against what the driver did and what wait4() says. Prints a table; exit 1 when a row misses its bar.
#
#     sudo bench/exact.sh [COUNT]        default 2000
#
# TRACER_BUILD names another build folder (default build/release).
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

count=${1:-2000}
need_root
install_packages build demo bench
build=${TRACER_BUILD:-$root/build/release}
[ -x "$build/tracer" ] || { step "fetch DuckDB" "$root/scripts/fetch-duckdb.sh"; build release tracer tracer-lake; }

work=$(mktemp -d) cgroup='' space=''
export TRACER_DATA=$work/data PATH=$build:$PATH
leave() {
	tracer down >/dev/null
	[ ! -d "$cgroup" ] || rmdir "$cgroup"
	[ -z "$space" ] || ip netns del "$space"
	rm -rf "$work"
}
trap leave EXIT
mkdir "$work/scratch"
for driver in exact_driver wait_driver poll_driver end_driver wire_driver; do
	gcc -O2 -static -pthread -o "$work/$driver" "$root/bench/$driver.c"
done

gcc -O2 -static -D_GNU_SOURCE -o "$work/network_driver" "$root/tests/bpf/network_driver.c"

# A wire to another network namespace.
space=tracer-exact-$$ near=trx$$ far=trxo$$
ip netns add "$space"
ip link add "$near" type veth peer name "$far" netns "$space"
ip addr add 10.199.9.1/30 dev "$near"
ip addr add fd00:199:9::1/64 dev "$near" nodad
ip -n "$space" addr add 10.199.9.2/30 dev "$far"
ip -n "$space" addr add fd00:199:9::2/64 dev "$far" nodad
ip link set "$near" up
ip -n "$space" link set "$far" up

# A cgroup with a memory limit, in whichever hierarchy has the memory controller.
memory=/sys/fs/cgroup pattern='s/^0:://p'
if [ -e /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then memory=/sys/fs/cgroup/memory pattern='s/^[0-9]*:memory://p'; fi
cgroup=$memory$(sed -n "$pattern" /proc/self/cgroup)
cgroup=${cgroup%/}/exact_$$
mkdir "$cgroup"
limit=memory.max
[ -e "$cgroup/$limit" ] || limit=memory.limit_in_bytes
echo $((32 << 20)) >"$cgroup/$limit"

# run NAME COMMAND…: NAME.tsv is what the driver says, NAME.json what was recorded.
run() {
	tracer run --name "$1" -- "${@:2}" >"$work/$1.tsv"
	for _ in $(seq 60); do
		[ "$(tracer report "$1" --json | jq -r .run.status)" = running ] || break
		sleep 0.5
	done
	sleep 3 # what the kernel counts while it tears processes down comes a little later
	tracer report "$1" --json >"$work/$1.json"
}

tracer up --port 0 >/dev/null
status=0
run exact "$work/exact_driver" "$count" "$work/scratch"
run waits "$work/wait_driver" 5 "$work/scratch"
run ends "$work/end_driver" 5 "$cgroup"
run polls "$work/poll_driver" 5 "$work/scratch"
run sockets "$root/bench/sockets.sh" "$work/network_driver" "$work/wire_driver" "$space" "$far" 10.199.9.2 fd00:199:9::2
"$root/bench/exact.py" "$work"/exact.{tsv,json} "$work"/{waits,ends,polls,sockets}.{tsv,json} | tee "$work/table" || status=$?
[ "$count" -lt 2000 ] || write_table "$status" exactness "How exact the figures are" "$work/table"
[ "$status" = 0 ]
