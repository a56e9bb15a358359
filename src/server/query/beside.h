/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <pthread.h>
#include <stdbool.h>

#include "base/error.h"

/*
 * A part of an answer that another thread makes meanwhile: a query has one thread, and a page that
 * needs a dozen of them waits for two at a time. Its queries have the reader of the request
 * (store_reader.h).
 */
struct store_reader;

struct beside {
	int (*run)(void *context, struct error *err);
	void *context;
	struct store_reader *reader;
	pthread_t thread;
	bool is_thread; /* else it ran in beside_begin: there was no thread */
	int rc;
	struct error err;
};

/* Begins it. beside_end must follow; until then both must stay, and so must the context. */
void beside_begin(struct beside *beside, int (*run)(void *context, struct error *err),
		  void *context);
/* Waits. What run returned, with its words. */
int beside_end(struct beside *beside, struct error *err);
