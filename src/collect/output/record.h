/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "signal.pb-c.h"

/*
 * Executions, samples and events of processes, as messages into the outbox. Instants are
 * wall-clock; text is copied.
 */
struct agent_clock;
struct cgroups;
struct listener;
struct outbox;
struct process;
struct process_table;
struct recorder;

#define RECORD_IDLE_NS 60000000000 /* what only waits is sampled so often */
#define RECORD_FORK_NS 100000000   /* a fork that is alive after so long is an execution */

/* Nothing is owned. NULL only without memory. */
struct recorder *recorder_new(struct outbox *outbox, const struct agent_clock *clock,
			      struct process_table *processes, const struct cgroups *cgroups);
void recorder_free(struct recorder *recorder); /* NULL is fine */
/* Sends the records that are due, samples, and the ends of images. */
extern const struct listener recorder_listener;

/* A process that may have been idle did something: what it did before is a sample of its own, so
 * that what follows is not spread over the time in which it was idle. */
void record_wake(struct recorder *recorder, struct process *process);
void record_sample(struct recorder *recorder, struct process *process, int64_t until_at);
void record_event(struct recorder *recorder, const struct process *process, const char *kind,
		  int64_t happened_at, const char *summary);
/* Adds the process, its run and its task to an event, and sends it. */
void record_process_event(struct recorder *recorder, const struct process *process,
			  Signal__Event *event);
/* "samtools sort (pid 12)". Returns text. */
const char *process_words(const struct process *process, char *text, size_t size);
void record_loss(struct outbox *outbox, const char *what, uint64_t count, int64_t since_at,
		 const char *why);
