#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How exact the recorded figures are: a driver does known things in COUNT processes, and what Tracer recorded is held
# against what the driver did and what wait4() says. Prints a table; exit 1 when a row misses its bar.
#
#     sudo bench/exact.sh [--counts] [COUNT]        default 2000
#
# --counts: only what is true however busy the machine is (counts, bytes, identities, what was waited for): the test
# e2e_exact. The rest needs a machine that does nothing else.
# TRACER_BUILD names another build folder (default build/release).
# shellcheck source-path=SCRIPTDIR/..
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

counts='' rounds=5 wall_rounds=20
if [ "${1:-}" = --counts ]; then
	counts=$1 rounds=1 wall_rounds=1
	shift
fi
count=${1:-2000}
need_root
install_packages build demo bench
build=${TRACER_BUILD:-$root/build/release}
[ -x "$build/tracer" ] || { fetch_libraries; build release tracer tracer-lake; }

work=$(mktemp -d) stress='' cgroup='' slow_cgroup='' loop='' space=''
chmod 711 "$work" # the lake, which is not root, passes it
export TRACER_DATA=$work/data PATH=$build:$PATH
leave() {
	tracer down >/dev/null
	[ -z "$stress" ] || kill "$stress"
	for folder in full slow; do ! mountpoint -q "$work/$folder" || umount "$work/$folder"; done
	[ -z "$loop" ] || losetup -d "$loop"
	for folder in "$cgroup" "$slow_cgroup"; do [ ! -d "$folder" ] || rmdir "$folder"; done
	[ -z "$space" ] || { ip link del "$near" || :; ip netns del "$space"; } # a process in it would keep the wire
	rm -rf "$work"
}
trap leave EXIT
mkdir "$work/scratch" "$work/full" "$work/slow"
mount -t tmpfs -o size=64k full "$work/full"
for driver in exact_driver wait_driver peer_driver reclaim_driver ring_driver poll_driver end_driver wire_driver; do
	gcc -O2 -static -pthread -o "$work/$driver" "$root/bench/drivers/$driver.c"
done
for driver in parallel pipe_of_three; do gcc -O2 -pthread -o "$work/$driver" "$root/bench/drivers/wall/$driver.c"; done
javac -d "$work" "$root/bench/drivers/wall/JvmChild.java"

for driver in bpf/lib/network_driver vm/file_driver; do
	gcc -O2 -static -D_GNU_SOURCE -o "$work/${driver##*/}" "$root/tests/$driver.c"
done

# A wire to another network namespace; its addresses are of this run alone.
subnet=10.199.$(($$ / 64 % 256)) host=$(($$ % 64 * 4))
near4=$subnet.$((host + 1)) far4=$subnet.$((host + 2)) net6=$(printf 'fd00:199:%x::' $$)
space=tracer-exact-$$ near=trx$$ far=trxo$$
ip netns add "$space"
ip link add "$near" type veth peer name "$far" netns "$space"
ip addr add "$near4/30" dev "$near"
ip addr add "${net6}1/64" dev "$near" nodad
ip -n "$space" addr add "$far4/30" dev "$far"
ip -n "$space" addr add "${net6}2/64" dev "$far" nodad
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

# A disk that gives those of a cgroup 100 reads a second, in whichever hierarchy has the io controller.
truncate -s 256M "$work/disk"
mke2fs -q -t ext4 -O ^has_journal "$work/disk"
loop=$(losetup --find --show "$work/disk")
mount "$loop" "$work/slow"
device=$(cat "/sys/block/${loop##*/}/dev")
echo 1024 >"/sys/block/${loop##*/}/queue/read_ahead_kb"
if [ -d /sys/fs/cgroup/blkio ]; then
	slow_cgroup=/sys/fs/cgroup/blkio/exact_$$
	mkdir "$slow_cgroup"
	echo "$device 100" >"$slow_cgroup/blkio.throttle.read_iops_device"
else
	echo +io >/sys/fs/cgroup/cgroup.subtree_control
	slow_cgroup=/sys/fs/cgroup/exact_slow_$$
	mkdir "$slow_cgroup"
	for folder in "$slow_cgroup" "$cgroup"; do echo "$device riops=100" >"$folder/io.max"; done
fi

# What the CPUs lost so far to interrupts and to other guests of the machine below, in ns.
lost_ns() { awk -v tick=$((1000000000 / $(getconf CLK_TCK))) '$1 == "cpu" { printf "%.0f\n", ($7 + $8 + $9) * tick }' /proc/stat; }

# run NAME COMMAND…: NAME.tsv is what the driver says, NAME.lost what was lost before and after.
run() {
	lost_ns >"$work/$1.lost"
	tracer run --name "$1" -- "${@:2}" >"$work/$1.tsv"
	for _ in $(seq 120); do
		# By the list: a report costs the lake more than ten times as much.
		case $(tracer runs --json | jq -r --arg name "$1" 'first(.runs[] | select(.name == $name)).status') in running | "") ;; *) break ;; esac
		sleep 1
	done
	lost_ns >>"$work/$1.lost"
}

# compare: NAME.json is what was recorded of each run, and the table what is to be said of it.
compare() {
	for name in exact waits wall ${busy:+"$busy"} ends polls sockets disk files; do tracer report "$name" --json >"$work/$name.json"; done
	"$root/bench/exact.py" "$work" ${counts:+"$counts"} >"$work/table" 2>"$work/errors"
}

tracer up --port 0 >/dev/null
tracer doctor --json >"$work/doctor.json"
status=0
run exact "$work/exact_driver" "$count" "$work/scratch"
run waits "$root/bench/exact_waits.sh" "$work" "$rounds" "$work/slow" "$slow_cgroup" "$cgroup" "$space/$far4"
run wall "$root/bench/exact_wall.sh" "$work" "$wall_rounds"
busy=''
if [ -z "$counts" ]; then
	busy=wall_busy
	stress-ng --quiet --cpu "$(nproc)" &
	stress=$!
	run "$busy" "$root/bench/exact_wall.sh" "$work" "$wall_rounds"
	kill "$stress"
	wait "$stress" || :
	stress=''
fi
run ends "$work/end_driver" "$rounds" "$cgroup"
run polls "$work/poll_driver" "$rounds" "$work/scratch"
run sockets "$root/bench/sockets.sh" "$work/network_driver" "$work/wire_driver" "$space" "$far" "$far4" "${net6}2"
run disk "$root/bench/disk.sh" "$work/slow" "${loop##*/}"
run files "$work/file_driver" all "$work/scratch" "$work/full"
# What the kernel counts while it tears processes down comes a little later.
for _ in $(seq 20); do
	sleep 3
	status=0
	compare || status=$?
	[ "$status" != 0 ] || break
	[ -n "$counts" ] || break # what the table of all says is what is so
done
cat "$work/errors" >&2
cat "$work/table"
[ "$status" = 0 ] || [ -z "$counts" ] || echo "This was so for 60 s after the last driver's end." >&2
[ -n "$counts" ] || [ "$count" -lt 2000 ] || write_table "$status" exactness "How exact the figures are" "$work/table"
[ "$status" = 0 ]
