/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "collect/runtime/runtime.h"
#include "collect/runtime/runtime_source.h"

/* The questions to one runtime: asked in turn; what does not answer is asked again later. */
struct runtime_queue;

struct runtime_question {
	uint64_t cgroup_id;
	const char *id; /* of a container; copied */
	bool of_pod;    /* it is the sandbox of the cgroup's pod */
};

/* source, base, socket (a path) and context are not owned. As open of struct runtime_source. */
int runtime_queue_new(struct runtime_queue **ret, const struct runtime_source *source,
		      struct event_base *base, const char *socket, runtime_reported *reported,
		      void *context, struct error *err);
void runtime_queue_free(struct runtime_queue *queue); /* NULL is fine */
/* Forgotten where the runtime's socket never was, and where RUNTIME_QUEUE wait already. */
void runtime_queue_ask(struct runtime_queue *queue, const struct runtime_question *what);
