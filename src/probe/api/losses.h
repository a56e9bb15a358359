/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/* Records that the kernel side could not send, counted by kind. */
struct probe;

/*
 * The table of kinds: member, name in the agent's status, `what` and reason of the record that
 * reports the loss. A new kind is a row here and a member of struct process_losses (abi/process.h);
 * code that lists kinds expands this table.
 */
#define PROBE_LOSSES(X)                                                                   \
	X(fork, "fork", "fork", "the kernel's ring was full")                             \
	X(image, "image", "exec", "the kernel's ring was full")                           \
	X(exit, "exit", "exit", "the kernel's ring was full")                             \
	X(residual, "residual", "exit",                                                   \
	  "the kernel's ring was full; figures after the end are missing")                \
	X(failure, "failure", "event",                                                    \
	  "the kernel's ring was full; why processes ended is missing")                   \
	X(file, "files", "files", "the kernel's ring was full, or the table of files")    \
	X(syscall, "syscalls", "syscalls",                                                \
	  "the kernel had no room to count them, or to report them")                      \
	X(untracked, "untracked", "processes", "the kernel had no memory to follow them") \
	X(network, "network", "network", "the kernel had no room for counts of sockets")  \
	X(io, "io", "io", "the kernel had no room for requests to disks")

#define PROBE_LOSS_MEMBER(member, name, what, why) uint64_t member;
struct probe_losses { /* cumulative since probe_open */
	PROBE_LOSSES(PROBE_LOSS_MEMBER)
};
int probe_losses(struct probe *probe, struct probe_losses *ret);
