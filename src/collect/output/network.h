/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "collect/process/tracker.h"

/*
 * What executions move through sockets: a message for each kind of socket that one uses.
 */

/* Takes what an image moved so far, or in all. context is the tracker. */
void network_moved(void *context, const struct probe_network *network);
/* Asks the probe for what a live process moved, where a figure of it grew since the last time. */
void network_send(struct process *process, struct probe *probe);
