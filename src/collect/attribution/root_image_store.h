/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "correlate/tree/tree.h"
#include "probe/api/probe.h"

/*
 * What runs were begun with, on disk. `tracer run … -- CMD` tells of a run by its own arguments,
 * and then becomes CMD: an agent that was killed amid the run finds only CMD, in a process that no
 * rule need name, and the run would be lost. So the image that is about to go is kept in the state
 * folder, masked: begun/PID-START_NS, one file a process (0600), until the process ends; an agent
 * that starts looks at it before it looks at what the process runs now. An engine that stays what
 * it was started as needs no such file; the root of a driver's run (run_root_search.h) is found by
 * its own.
 *
 * Nothing is synced to disk: the files are for a process that outlives the agent, and none outlives
 * the host. What is in the folder is not trusted: a file that is no file, too long, or not written
 * as here is removed and was never there. At most BEGUN_LIMIT files; a run beyond is lost should
 * the agent be killed, as is one whose file could not be written. A NULL begun keeps and knows
 * nothing.
 */
struct begun;

#define BEGUN_LIMIT 4096       /* processes */
#define BEGUN_BYTES (36 << 10) /* of a file; arguments that do not fit are left out */

/* Opens STATE/begun (made if missing) and lists what is there. -ENOMEM, or what the system says of
 * the folder, with words. */
int begun_open(struct begun **ret, const char *state_folder, struct error *err);
void begun_close(struct begun *begun); /* the files stay; NULL is fine */
size_t begun_count(const struct begun *begun);

/* Keeps a process's image, whose arguments are masked already; an earlier one is replaced. 0, or
 * -errno: -ENOSPC at the limit. */
int begun_keep(struct begun *begun, const struct tree_image *image);
bool begun_has(const struct begun *begun, const struct probe_key *key);

/* An image that was kept; its texts are its own. */
struct begun_image {
	struct tree_image image; /* without user, cgroup_id and the parent's start_ns */
	char *bytes;
	const char **argv;
};

/* -ENOENT: not kept, or not to be believed. The process is alive: begun_settle keeps it. */
int begun_get(struct begun *begun, const struct probe_key *key, struct begun_image *ret);
void begun_image_clear(struct begun_image *saved);

/* The process has ended. */
void begun_forget(struct begun *begun, const struct probe_key *key);
/* All that lives was found: removes what was neither kept nor got since begun_open. */
void begun_settle(struct begun *begun);
