/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "gpu/fdinfo.h"

/*
 * Clients of DRM devices among the processes of this host, found by a walk through /proc: in each
 * reading those that are known, and of the others CLIENTS_WALK, so that a full host costs no more
 * than a small one and is seen in turns. A client counts for the process that is seen with it
 * first: a descriptor that was inherited or sent is the same client.
 */
#define CLIENTS_MAX  1024
#define CLIENTS_WALK 512  /* processes looked at in a reading; 10 µs each */
#define CLIENTS_FDS  4096 /* of a process */

struct clients;

/* Of the processes below ROOT/proc. NULL only without memory. */
struct clients *clients_new(const char *root);
void clients_free(struct clients *clients);

/* What one client did since the reading before. */
struct client_told {
	uint32_t pid;
	const struct fdinfo *info;
	uint64_t busy_ns; /* UINT64_MAX: the driver does not say */
};
/* Reads; `tell` is called for each client. */
void clients_read(struct clients *clients,
		  void (*tell)(void *context, const struct client_told *told), void *context);
