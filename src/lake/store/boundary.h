/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "signal.pb-c.h"

/*
 * Decides which records of a batch are believed: those with possible texts, times and figures
 * (docs/lake.md lists the bounds, and why). Other records are rejected, and counted as losses of
 * their host with the reason. A batch with an unusable header is refused.
 */
#define BATCH_ID_MAX     128 /* bytes of any id */
#define BATCH_LABELS_MAX 256 /* of one run */
/* As of any integer that is stored: agents count up from 1. */
#define BATCH_SEQUENCE_MAX ((uint64_t)1 << 60)

struct store_rows;
struct boundary;

struct boundary_facts {
	int64_t now_at; /* by the clock of this machine, ns */
	/* Of the host of the batch in that boot, as stored; 0: unknown. */
	uint64_t memory_bytes, cpus;
	int64_t booted_at;
	/* Executions by pid, start_ns, image_seq with started_at, ended_at; NULL: none. */
	struct store_rows *lifetimes;
};

/* -EPROTO with words: an id of the header is missing or too long, or sequence is 0 or above
 * BATCH_SEQUENCE_MAX. */
int boundary_header(const Signal__Batch *batch, struct error *err);
/* The pids of samples so long that the stored lifetimes of their executions are needed: "12,13",
 * which the caller frees; empty: none. NULL: no memory. */
char *boundary_pids(const Signal__Batch *batch);
/* The batch without the rejected records, and with the losses. It points into the batch, which must
 * outlive it. -ENOMEM with words. */
int boundary_open(struct boundary **ret, const Signal__Batch *batch,
		  const struct boundary_facts *facts, struct error *err);
const Signal__Batch *boundary_batch(const struct boundary *boundary);
/* Whether that differs from what was sent. */
bool boundary_changed(const struct boundary *boundary);
/* What is known of the host, with what the batch itself says. */
const struct boundary_facts *boundary_facts(const struct boundary *boundary);
void boundary_free(struct boundary *boundary); /* NULL is fine */
