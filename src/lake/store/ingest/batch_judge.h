/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "lake/store/boundary.h"

struct store;

/*
 * Decides what of a batch is believed (boundary.h) by what the store knows of its host and of the
 * executions of its long samples. What is known of hosts is kept in memory (host_facts.h).
 */

/* Reads what the store knows of hosts. Errors as of its engine. */
int batch_judge_open(struct store *store, struct error *err);
/* Any thread. *ret points into the batch. -EPROTO: its header cannot be used; errors as of
 * store_query. */
int batch_judge(struct store *store, const Signal__Batch *batch, struct boundary **ret,
		struct error *err);
