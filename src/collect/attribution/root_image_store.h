/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "correlate/tree/tree.h"
#include "probe/api/probe.h"

/*
 * The images that runs were begun with, on disk. `tracer run … -- CMD` describes a run by its own
 * arguments, and then becomes CMD: an agent that was killed during the run finds only CMD, in a
 * process that no rule need name, and the run would be lost. So the image that is about to go is
 * kept in the state folder, masked: begun/PID-START_NS, one file a process (0600), until the
 * process ends; an agent that starts looks at it before it looks at what the process runs now. An
 * engine that stays what it was started as needs no such file; the root of a run that no engine
 * began (run_root_search.h) is found by its own.
 *
 * Nothing is synced to disk: the files are for a process that outlives the agent, and none outlives
 * the host. What is in the folder is not trusted: a file that is no file, too long, or not written
 * as here is removed and was never there. At most ROOT_IMAGE_STORE_LIMIT files; a run beyond is
 * lost should the agent be killed, as is one for which no file could be written. A NULL store keeps
 * and knows nothing.
 */
struct root_image_store;

#define ROOT_IMAGE_STORE_LIMIT 4096       /* processes */
#define ROOT_IMAGE_BYTES       (36 << 10) /* of a file; arguments that do not fit are left out */

/* Opens STATE/begun (made if missing) and lists what is there. -ENOMEM, or what the system says of
 * the folder, with words. */
int root_image_store_open(struct root_image_store **ret, const char *state_folder,
			  struct error *err);
void root_image_store_close(struct root_image_store *store); /* the files stay; NULL is fine */
size_t root_image_store_count(const struct root_image_store *store);

/* Keeps the image of a process, with arguments that are masked already; an earlier one is replaced.
 * 0, or -errno: -ENOSPC at the limit. */
int root_image_store_keep(struct root_image_store *store, const struct tree_image *image);
bool root_image_store_has(const struct root_image_store *store, const struct probe_key *key);

/* An image that was kept; its texts are its own. */
struct stored_image {
	struct tree_image image; /* without user, cgroup_id and the parent's start_ns */
	char *bytes;
	const char **argv;
};

/* -ENOENT: not kept, or not to be believed. The process is alive: root_image_store_settle keeps it.
 */
int root_image_store_get(struct root_image_store *store, const struct probe_key *key,
			 struct stored_image *ret);
void stored_image_clear(struct stored_image *saved);

/* The process has ended. */
void root_image_store_forget(struct root_image_store *store, const struct probe_key *key);
/* All live processes were found: removes what was neither kept nor got since root_image_store_open.
 */
void root_image_store_settle(struct root_image_store *store);
