/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/*
 * How far the batches that are acknowledged are stored: numbers of their entries in the log
 * (batch_log.h), which are stored in order. Any thread may call.
 */
struct ingest_progress;

struct ingest_progress *ingest_progress_new(void);           /* NULL: no memory */
void ingest_progress_free(struct ingest_progress *progress); /* NULL is fine */

/* All up to this entry are acknowledged, or will be now. */
void ingest_progress_acknowledge(struct ingest_progress *progress, uint64_t order);
/* All up to this entry are stored. */
void ingest_progress_store(struct ingest_progress *progress, uint64_t order);
/* Batches that are acknowledged cannot be stored now, and why; they are tried again. */
void ingest_progress_fail(struct ingest_progress *progress, const struct error *why);
/* Copies why, unless ret_why is NULL. */
bool ingest_progress_is_failing(struct ingest_progress *progress, struct error *ret_why);
/* Ends a pause, and waits until they are stored or could not be stored again, at most limit_ns.
 * false: they are not stored; why is copied. */
bool ingest_progress_retry(struct ingest_progress *progress, uint64_t limit_ns,
			   struct error *ret_why);
/* For some minutes nothing is stored, or it is again. */
void ingest_progress_hold(struct ingest_progress *progress, bool held);
/* No entry is to be tried again. */
void ingest_progress_end(struct ingest_progress *progress);
/* Waits until all is stored that is acknowledged at the call. false: it cannot be stored now, is
 * held, or took longer than limit_ns. */
bool ingest_progress_wait(struct ingest_progress *progress, uint64_t limit_ns);
/* Waits so long, or until ingest_progress_retry or ingest_progress_end are called; whether the
 * latter was. */
bool ingest_progress_pause(struct ingest_progress *progress, uint64_t pause_ns);
