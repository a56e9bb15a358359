/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"
#include "collect/runtime/container_facts.h"

struct event_base;

/*
 * Asks container runtimes what a path does not say. containerd and CRI-O keep it in a file of each
 * container; where that does not say name and image, docker and containerd are asked by their
 * sockets (runtime_source.h says what, and it only reads), one question at a time each, from the
 * loop. What does not answer is asked again later, at last once a minute; nothing waits for it.
 * podman is not asked, nor CRI-O's socket.
 */
struct runtimes;

#define RUNTIME_QUEUE  256          /* questions that wait; beyond that names stay unknown */
#define RUNTIME_BYTES  (256u << 10) /* of an answer or file; a longer one is none */
#define RUNTIME_TRIES  8
#define RUNTIME_WAIT_S 2 /* for an answer */

struct runtime_options {
	const char *docker_socket;     /* NULL, "": docker is not asked */
	const char *containerd_socket; /* NULL, "": containerd is not asked */
	const char *root;              /* before the files' paths: "" */
};

/* An answer. facts may be taken over, member by member. */
typedef void runtime_reported(void *context, uint64_t cgroup_id, struct container_facts *facts);

/* base, options' texts and context are not owned. -ENOMEM, -EINVAL: a socket's path is none. */
int runtimes_new(struct runtimes **ret, struct event_base *base,
		 const struct runtime_options *options, runtime_reported *reported, void *context,
		 struct error *err);
void runtimes_free(struct runtimes *runtimes); /* NULL is fine */
/* runtime and id as cgroup_name says them. The callback may be called at once, and again: the
 * last answer is the fullest. */
void runtimes_ask(struct runtimes *runtimes, uint64_t cgroup_id, const char *runtime,
		  const char *id);
/* The same for the sandbox of the pod that the cgroup is of: the answer is `of_pod`. */
void runtimes_ask_pod(struct runtimes *runtimes, uint64_t cgroup_id, const char *runtime,
		      const char *sandbox_id);
