/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tally.h"
#include "work.h"

/*
 * Agents that send batches to a lake over HTTP/1.1, each on a connection of its own that it keeps
 * and from a loopback address of its own (127.16.0.0 and up), one batch at a time, as agents do.
 * One thread serves all of them, so that they cost little of the CPUs that the lake runs on, too.
 */
struct senders_options {
	struct sockaddr_in lake;
	char *const *tokens; /* agent i has token i, counted around */
	unsigned tokens_count;
	unsigned count, first; /* addresses are from first on */
	uint64_t interval_ns;  /* between two batches of one; 0: at once when one is acknowledged */
	uint64_t lasts_ns;     /* then no batch is begun; those begun are waited for */
	uint64_t batches;      /* of each, at most; 0: no limit */
	bool stop_on_error; /* an agent with a failed connection sends no more; else it tries again
			     */
	uint64_t *acknowledged; /* by agent: the last sequence; set by the caller and updated */
	const struct work *work;
	void *state; /* of the work */
};

/* A lake that answers otherwise than 200, 429, 503: -EPROTO with its words. -ENOMEM. */
int senders_run(const struct senders_options *options, struct tally *tally, struct error *err);
