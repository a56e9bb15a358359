/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"
#include "signal.pb-c.h"

/*
 * What the lake believes, decided here alone: of each batch the records whose texts, times and
 * figures can be (docs/lake.md lists the bounds and why). The others are kept out, and counted as
 * losses of their host with the reason. A batch whose header is unusable is refused whole.
 */
#define BATCH_ID_MAX     128 /* bytes of any id */
#define BATCH_LABELS_MAX 256 /* of one run */

struct store_rows;
struct boundary;

struct boundary_facts {
	int64_t now_at; /* of this machine's clock, ns */
	/* Of the batch's host in the batch's boot, as stored; 0: not known. */
	uint64_t memory_bytes, cpus;
	int64_t booted_at;
	/* Executions by pid, start_ns, image_seq with started_at, ended_at; NULL: none. */
	struct store_rows *lives;
};

/* -EPROTO with words: an id of the header is missing or too long, or sequence is 0. */
int boundary_header(const Signal__Batch *batch, struct error *err);
/* The pids of samples so long that the stored lives of their executions must be known: "12,13", to
 * be freed; empty: none. NULL: no memory. */
char *boundary_pids(const Signal__Batch *batch);
/* What is left of the batch, with the losses. It points into the batch, which must outlive it.
 * -ENOMEM with words. */
int boundary_open(struct boundary **ret, const Signal__Batch *batch,
		  const struct boundary_facts *facts, struct error *err);
const Signal__Batch *boundary_batch(const struct boundary *boundary);
void boundary_free(struct boundary *boundary); /* NULL is fine */
