/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct cgroup;
struct containers;
struct exec_context;
struct probe_cgroup;
struct tree;

/*
 * The client that a container was started for. `docker run` in a run asks a daemon, and what runs
 * in the container descends from the daemon, not from the run. While such a client waits, new
 * containers are followed (their first exec begins tracking), and the first process of one shows
 * which client: its arguments end in the words of the client. The runtime says it of a client that
 * asked for a name, and, by the image, of one without words. What is in the container is then where
 * the client is: in its run and task. Two clients in different runs that ask for the same get none.
 */
struct container_owners;

#define CONTAINER_OWNERS      256 /* clients and their containers at once; others get none */
#define CONTAINER_OWNER_TICKS 10  /* readings in which an ended client's container may come */

struct container_owners *container_owners_new(void); /* NULL: no memory */
void container_owners_free(struct container_owners *owners, struct tree *tree);

/* An image was placed: it may be a client, in a run. */
void container_owner_client(struct containers *containers, const struct exec_context *exec);
/* A cgroup was made: it is followed while a client waits. */
void container_owner_made(struct containers *containers, const struct probe_cgroup *cgroup);
/* An image in a process that is in no run, nor is its parent: where it is in an owned container, it
 * is placed beside the client. false: it is not; *ret_wait: the runtime may answer yet. */
bool container_owner_place(struct containers *containers, const struct exec_context *exec,
			   bool *ret_wait);
/* The runtime answered for a container: it may be owned by that. true: processes in it are to be
 * placed again. */
bool container_owner_take_facts(struct containers *containers, const struct cgroup *cgroup);
/* A container is gone. */
void container_owner_gone(struct containers *containers, uint64_t cgroup_id);
/* Once a reading: clients that ended long enough ago are forgotten. */
void container_owner_tick(struct containers *containers);
