/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "gpu/fdinfo.h"

/*
 * The clients of DRM devices among the processes of this host. Each reading looks in /proc at the
 * processes that are known to have one and at CLIENTS_WALK others in turn, so that its cost does
 * not grow with the number of processes. A client counts for the process in which it was seen
 * first: a descriptor that was inherited or sent is the same client.
 */
#define CLIENTS_MAX  1024
#define CLIENTS_WALK 512  /* processes looked at in a reading; 10 µs each */
#define CLIENTS_FDS  4096 /* of a process */

struct clients;

/* Looks at the processes below ROOT/proc. NULL only without memory. */
struct clients *clients_new(const char *root);
void clients_free(struct clients *clients);

/* The activity of one client since the reading before. */
struct client_use {
	uint32_t pid;
	const struct fdinfo *info;
	uint64_t busy_ns; /* UINT64_MAX: the driver does not report it */
};
/* Reads; calls `report` for each client. */
void clients_read(struct clients *clients,
		  void (*report)(void *context, const struct client_use *use), void *context);
