/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "signal.pb-c.h"

/*
 * What the tracker knows, as messages into its outbox. Instants are wall-clock; text is copied.
 */
struct cgroup;
struct outbox;
struct process;
struct tracker;

void record_execution(struct tracker *tracker, struct process *process, const char *status);
/* What an image did last, and that it ended: of one that was never sampled one record says both,
 * unless it was lost, when it has no end over which it could be spread. */
void record_end(struct tracker *tracker, struct process *process, const char *status);
void record_sample(struct tracker *tracker, struct process *process, int64_t until_at);
void record_event(struct tracker *tracker, const struct process *process, const char *kind,
		  int64_t happened_at, const char *summary);
/* One that is filled but for whose it is. */
void record_own_event(struct tracker *tracker, const struct process *process, Signal__Event *event);
/* How one ended: "succeeded", "failed", "killed", "lost". */
const char *process_status(const struct process *process);
/* "samtools sort (pid 12)". Returns text. */
const char *process_words(const struct process *process, char *text, size_t size);
void record_loss(struct outbox *outbox, const char *what, uint64_t count, int64_t since_at,
		 const char *why);
