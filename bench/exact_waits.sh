#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Waits in known ways for known times: exact_waits.sh DRIVERS ROUNDS SLOW SLOW_CGROUP SMALL_CGROUP NAMESPACE/ADDRESS
#
# What it says are the lines of waited.h. SLOW is a folder on a disk that gives those of SLOW_CGROUP little. What is in
# SMALL_CGROUP has little memory, and where both are of one hierarchy little of that disk as well. NAMESPACE has the other
# end of a wire, at ADDRESS.
drivers=$1 rounds=$2 slow=$3 slow_cgroup=$4 small_cgroup=$5 peer=$6

# inside CGROUP DRIVER
inside() (
	echo 0 >"$1/cgroup.procs"
	"$2" "$rounds" "$slow"
)

inside "$slow_cgroup" "$drivers/wait_driver"
inside "$slow_cgroup" "$drivers/ring_driver"
(
	echo 0 >"$slow_cgroup/cgroup.procs"
	inside "$small_cgroup" "$drivers/reclaim_driver"
)
"$drivers/peer_driver" "$rounds" "$peer"
