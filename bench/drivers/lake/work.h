/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/*
 * What simulated agents send. Each agent has a host, a boot and an id of its own and numbers its
 * batches from 1. The same options and sequence give the same batch, except for its times, which
 * are relative to `began_at`.
 */
struct work_options {
	unsigned agents, first_agent; /* their numbers are from first_agent on */
	unsigned rows;                /* of samples: in a batch; of history: in all, in thousands */
	unsigned processes;           /* of each agent, that are alive at once */
	unsigned life;                /* samples of each process; 0: it does not end */
	int64_t began_at;             /* ns since the epoch */
	const char *folder;           /* of the recorded runs */
};

struct work_counts {
	uint64_t samples, executions; /* rows of samples; executions that are new */
};

struct work {
	const char *name, *help;
	/* The state that the others take, freed by close. NULL with a message. */
	void *(*open)(const struct work_options *options, struct error *err);
	/* Appends the batch (protobuf) of an agent. Batches of one agent are asked for in the order
	 * of their sequence. false: there is none any more. */
	bool (*next)(void *state, unsigned agent, uint64_t sequence, struct buffer *out,
		     struct work_counts *ret);
	void (*close)(void *state);
};

extern const struct work WORK_SAMPLES, WORK_IDLE, WORK_RECORDED, WORK_HISTORY;
