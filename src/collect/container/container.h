/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "collect/runtime/container_facts.h"

struct agent_clock;
struct cgroups;
struct listener;
struct outbox;
struct probe;
struct probe_cgroup;
struct process_table;
struct runtimes;
struct tree;

/*
 * The cgroups that tracked work is in, as the lake gets them: their records, samples and events.
 */
struct containers;

struct container_parts { /* not owned */
	struct cgroups *cgroups;
	struct process_table *processes;
	struct tree *tree;
	struct outbox *outbox;
	const struct agent_clock *clock;
	struct probe *probe;       /* NULL: only the folders of cgroups say that they are gone */
	struct runtimes *runtimes; /* NULL: none is asked */
	const char *follow;        /* the pattern of cgroup_follow.h; NULL: no cgroup is followed */
};

struct containers *containers_new(const struct container_parts *parts); /* NULL: no memory */
void containers_free(struct containers *containers);                    /* NULL is fine */
/* For parts that are made later, or closed. */
struct container_parts *containers_parts(struct containers *containers);
/* The record of a cgroup goes ahead of what runs in it. */
extern const struct listener container_listener;

/* The runtime answered: sends the record again. true: clients and their containers may be found
 * now, so that processes in the cgroup are to be placed again. */
bool container_take_facts(struct containers *containers, uint64_t cgroup_id,
			  struct container_facts *facts);
/* The kernel reports that a cgroup was made, or removed. */
void container_take_cgroup(struct containers *containers, const struct probe_cgroup *cgroup);
/* Sends the records of all of them again. */
void container_resend(struct containers *containers);
/* Looks at all of them again, and sends what those used since in which tracked processes lived. */
void container_sample_all(struct containers *containers);
