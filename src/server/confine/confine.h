/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

#include "base/error.h"
#include "server/confine/landlock.h"

/*
 * Takes from the process, for good, what the lake does not need while it serves: every capability,
 * new privileges (no_new_privs), files beyond `paths` and what every program reads (time zones, its
 * own control group), TCP sockets that are not open yet, other programs (exec, ptrace), and all
 * system calls but its own. Before any thread starts, as Landlock holds for the calling thread and
 * those that it starts. What the kernel lacks is logged as a warning. -errno with a message.
 */
int confine_process(const struct landlock_path *paths, size_t count, struct error *err);

/* The same for a process that asks providers over the network (inventory/): it may also connect
 * sockets, look up names, read the authorities of certificates, and start copies of itself. */
int confine_lister(const struct landlock_path *paths, size_t count, struct error *err);
/* Of such a copy: it reads of what that one may only these paths, as they are now (a rule of
 * Landlock is of a file, not of its name), and does not what only the one that starts copies needs.
 */
int confine_listing(const struct landlock_path *paths, size_t count, struct error *err);
