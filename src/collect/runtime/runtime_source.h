/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "collect/runtime/container_facts.h"

struct event_base;

/* A container runtime that is asked by its socket, from the loop, one question at a time. */

/* result 0: facts may be taken over, member by member; -ENOENT: it knows of no such container, or
 * makes no sense; else it did not answer, and may be asked again. Called once, later. */
typedef void runtime_answered(void *context, int result, struct container_facts *facts);

struct runtime_source {
	const char *name;
	/* -EINVAL with words: the socket's path is none; -ENOMEM. base is not owned. */
	int (*open)(void **ret, struct event_base *base, const char *socket, struct error *err);
	/* id is plain (no '/'), and copied. -errno: not begun. */
	int (*ask)(void *source, const char *id, runtime_answered *answered, void *context);
	/* What is under way is dropped without an answer. NULL is fine. */
	void (*free)(void *source);
};

/* GET /containers/ID/json */
extern const struct runtime_source runtime_docker;
/* Namespaces.List, then Containers.Get in each namespace but docker's own, which knows no names; at
 * most RUNTIME_NAMESPACES_MAX. */
extern const struct runtime_source runtime_containerd;

#define RUNTIME_NAMESPACES_MAX 64
