#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What runs as init in the test machines: `tracer audit` watches the drivers of bench/. /plan names the world of cgroups
# and says which passes; what comes out goes to the second disk as a tar.
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
echo "GUEST: kernel $(cat /proc/sys/kernel/osrelease)"
for module in /modules/*.ko; do [ ! -e "$module" ] || insmod "$module"; done
ip link set lo up
mkdir /disk /out
mount -t ext4 /dev/vda /disk
read -r world </plan
world=${world#world=}

# v2: one hierarchy. v1: one each, memory among them where the kernel still has it, and beside them the unified one, as
# systemd's hybrid mode has it.
if [ "$world" = v1 ]; then
	hierarchies=/sys/fs/cgroup/unified
	mount -t tmpfs cgroup /sys/fs/cgroup
	mkdir /sys/fs/cgroup/unified
	mount -t cgroup2 cgroup2 /sys/fs/cgroup/unified
	for controller in memory cpu,cpuacct pids; do
		folder=/sys/fs/cgroup/$controller
		mkdir "$folder"
		if mount -t cgroup -o "$controller" cgroup "$folder" 2>/dev/null; then
			hierarchies="$hierarchies $folder"
		else
			rmdir "$folder"
		fi
	done
else
	hierarchies=/sys/fs/cgroup
	mount -t cgroup2 cgroup2 /sys/fs/cgroup
fi
echo "GUEST: cgroups $hierarchies"

# inside COMMAND…: in the cgroup /exact/work of every hierarchy.
inside() (
	for folder in $hierarchies; do
		mkdir -p "$folder/exact/work"
		echo 0 >"$folder/exact/work/cgroup.procs"
	done
	exec "$@"
)

# What a pass can have watched: each ends as its driver does, and what that says goes to /out.
processes() { inside /bin/exact_driver 40 /tmp >"/out/$1.exact"; }
waits() { inside /bin/wait_driver 2 /disk >"/out/$1.waits"; }
# In a cgroup of 32 MiB.
reclaims() (
	folder=/sys/fs/cgroup/memory/reclaim
	mkdir -p "$folder" && echo 33554432 >"$folder/memory.limit_in_bytes" && echo 0 >"$folder/cgroup.procs" &&
		exec /bin/dirty_driver 2 /disk >"/out/$1.reclaims"
)
# What its cgroup of version 2 says of it goes beside.
squeezed() (
	folder=/sys/fs/cgroup/exact/squeezed
	echo +memory >/sys/fs/cgroup/cgroup.subtree_control
	mkdir -p /sys/fs/cgroup/exact
	echo +memory >/sys/fs/cgroup/exact/cgroup.subtree_control
	mkdir "$folder" && cd "$folder" && echo 33554432 >memory.high || exit
	sh -c 'echo 0 >cgroup.procs && exec /bin/dirty_driver 1 /disk' >"/out/$1.dirty" || exit
	grep -H . memory.events ./*.pressure >"/out/$1.squeezed"
)
# On a file system of another machine: what this one's NFS server gives to itself. The lines are what mountd(8) would
# answer: who asks from there, what is exported to them (NFSEXP_FSID, NOSUBTREECHECK, ASYNC, INSECURE_PORT), where it lies.
shared() (
	for module in /modules/nfs/*.ko; do insmod "$module"; done
	mount -t nfsd nfsd /proc/fs/nfsd
	echo 'nfsd 127.0.0.1 2147483647 all' >/proc/net/rpc/auth.unix.ip/channel
	echo 'all /disk 2147483647 9234 0 0 0' >/proc/net/rpc/nfsd.export/channel
	printf '%s\n' 'all 1 \x00000000 2147483647 /disk' >/proc/net/rpc/nfsd.fh/channel
	cd /proc/fs/nfsd || exit
	echo '-2 -3 +4' >versions
	echo 10 >nfsv4leasetime
	echo 10 >nfsv4gracetime
	echo 'tcp 2049' >portlist
	echo 2 >threads
	mkdir /shared
	mount -t nfs4 -o vers=4.1,addr=127.0.0.1,clientaddr=127.0.0.1 127.0.0.1:/ /shared || exit
	touch /shared/opened # a server that has just started refuses to open files for a while
	(inside /bin/wait_driver disk /shared id=1 >"/out/$1.shared")
	set -- $?
	umount /shared
	echo 0 >threads
	exit "$1"
)
polls() { inside /bin/poll_driver 1 /tmp >"/out/$1.polls"; }
sockets() { inside /bin/sockets.sh /bin/network_driver >"/out/$1.sockets"; }
calls() {
	inside /bin/probe_driver calls g 0 &&
		inside /bin/probe_driver calls g 5000 b 30 w 40 m 50 s 60 f 70 p 80 k 90 n 2 S 7
}
compat() { inside /bin/compat_driver id=compat; }
births() { inside /bin/birth_driver all "${hierarchies%% *}/exact/born"; }
files() {
	mkdir -p /scratch /full
	mount -t tmpfs scratch /scratch
	mount -t tmpfs -o size=64k full /full
	inside /bin/file_driver all /scratch /full
	set -- $?
	umount /scratch
	umount /full
	return "$1"
}
wrap() {
	echo 600 >/proc/sys/kernel/pid_max # a process id is reused after some 500 others
	inside /bin/birth_driver many 800
}

step() { inside /bin/day_driver step >"/out/$1.step"; }
suspend() { inside /bin/day_driver suspend >"/out/$1.suspend"; }
unplug() { inside /bin/day_driver unplug >"/out/$1.unplug"; }

# pass NAME WHAT… -- OPTIONS…: tracer audit, with these options, watches these. How each ended, and audit, goes to
# /out/NAME.ended.
pass() {
	name=$1 what=
	shift
	while [ "$1" != -- ]; do
		what="$what $1"
		shift
	done
	shift
	tracer audit --track all --seconds 900 "$@" >"/out/$name.batches" 2>"/out/$name.words" &
	audit=$!
	until grep -q watching "/out/$name.words" 2>/dev/null; do
		kill -0 $audit 2>/dev/null || break
		usleep 50000
	done
	if kill -0 $audit 2>/dev/null; then
		for each in $what; do
			$each "$name"
			echo "$each $?" >>"/out/$name.ended"
		done
		sleep 1 # what the kernel counts while it tears processes down comes a little later
		kill -TERM $audit
	fi
	wait $audit
	echo "audit $?" >>"/out/$name.ended"
	echo "GUEST: pass $name ends after $(cut -d' ' -f1 /proc/uptime) s"
	cat "/out/$name.words"
}

tracer doctor >/out/doctor
echo "GUEST: doctor $?"
cat /out/doctor
# shellcheck source=/dev/null
. /plan
cd /out && tar c . >/dev/vdb
sync
echo "GUEST: done"
reboot -f # QEMU ends with it, as it does not with "power off" once the machine has slept
