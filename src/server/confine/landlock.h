/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The version of Landlock from which on TCP can be limited. */
#define LANDLOCK_ABI_TCP 4

/* A folder or file that a confined process may use, with all that lies below it. */
struct landlock_path {
	const char *path; /* "" or missing: not used */
	bool write;       /* also: write, create, rename and remove below it */
};

/* What TCP sockets may do besides what is open. */
enum landlock_tcp { LANDLOCK_TCP_NONE, LANDLOCK_TCP_CONNECT };

/*
 * Limits this thread, and those that it starts, to the paths, by Landlock (landlock(7), Linux
 * 5.13): no other file can be opened, no TCP socket bound or (unless tcp allows it) connected
 * (6.7), no abstract UNIX socket of others reached and no other process sent a signal (6.12). Files
 * that are open stay so. Needs no_new_privs. What the kernel does not know is left out: *ret_abi is
 * its version of Landlock, 0 where it has none. -errno with a message.
 */
int landlock_restrict(const struct landlock_path *paths, size_t count, enum landlock_tcp tcp,
		      int *ret_abi, struct error *err);
