/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "signal.pb-c.h"

/*
 * The ids, texts of links, hostnames and times in the batches of a recorded run, which are to be
 * different each time that they are sent: each id is replaced by one of the same form that ends in
 * digits of the agent and of its repetition, each time is moved.
 */
struct recorded_ids;

/* The batches must outlive it; it changes them. -ENOMEM. */
int recorded_ids_new(struct recorded_ids **ret, Signal__Batch **batches, size_t count,
		     struct error *err);
void recorded_ids_free(struct recorded_ids *ids); /* NULL is fine */

/* How long the run takes from its first batch to its last, ns. */
int64_t recorded_ids_lasts_ns(const struct recorded_ids *ids);

/* Writes ids and times of one batch for an agent's n-th repetition that began at began_at. They
 * stay until the next call. */
void recorded_ids_apply(struct recorded_ids *ids, size_t batch, unsigned agent, uint64_t repetition,
			int64_t began_at);
