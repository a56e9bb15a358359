/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "probe/api/probe.h"

struct listener;
struct outbox;
struct process_table;

/*
 * What executions move through sockets: a message for each kind of socket that one uses.
 */
struct network { /* nothing is owned */
	const struct process_table *processes;
	struct outbox *outbox;
	struct probe *probe; /* NULL: none is asked */
};

/* Records what an image moved so far, or in all. */
void network_record(const struct network *network, const struct probe_network *moved);
/* Asks the probe for what a live process moved, where a figure of it grew since the last time. */
extern const struct listener network_listener;
