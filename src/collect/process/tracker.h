/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "collect/process/agent_clock.h"
#include "collect/process/exec_context.h"
#include "collect/process/listener.h"
#include "probe/api/probe.h"

/*
 * Keeps the process table by what the kernel reports, and hands on to the listeners what happened.
 * A file each: process_exec.h (a process runs an image), process_exit.h (ends), process_sample.h
 * (readings of its figures), process_recovery.h (records
 * that were lost), scan.h (processes that ran before the agent). Only these know the struct.
 */
struct tracker;

struct tracker_parts { /* not owned */
	struct exec_tables tables;
	struct agent_clock *clock;
	const struct listeners *listeners;
	size_t process_limit;
	struct probe *probe; /* NULL: nothing can be adopted */
};

struct tracker_counts {                                       /* since the start */
	uint64_t forks, images, exits, residuals, executions; /* those that ended */
	uint64_t refused;   /* processes for which the table had no room */
	uint64_t recovered; /* found alive though their records were lost */
	uint64_t vanished;  /* of which the end was not seen */
};

#define TRACKER_LINGER_NS 2000000000 /* an ended process waits for late figures */

struct tracker *tracker_new(const struct tracker_parts *parts); /* NULL: no memory */
void tracker_free(struct tracker *tracker);                     /* NULL is fine */
void tracker_set_probe(struct tracker *tracker, struct probe *probe);
const struct tracker_counts *tracker_counts(const struct tracker *tracker);

/* A record of the kernel. */
void tracker_fork(struct tracker *tracker, const struct probe_fork *fork);
/* Sends the records that wait (listeners' flush), and forgets what ended long enough ago. */
void tracker_flush(struct tracker *tracker);
/* The record of each live process is to be sent again. */
void tracker_resend(struct tracker *tracker);
