#!/bin/sh
# Waits in known ways for known times: exact_waits.sh DRIVERS ROUNDS SCRATCH NAMESPACE/ADDRESS
#
# What it says are the lines of waited.h. NAMESPACE has the other end of a wire, at ADDRESS.
drivers=$1 rounds=$2 scratch=$3 peer=$4
"$drivers/wait_driver" "$rounds" "$scratch"
"$drivers/peer_driver" "$rounds" "$peer"
