/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct server;

/* When the lake gives memory back that it needed for work: the C library and DuckDB keep it for the
 * next work, and a lake of a laptop has none for hours. */
struct quiet {
	uint64_t used_ns;     /* CPU time of the process at the last look */
	uint64_t released_ns; /* … when memory was given back */
	uint64_t cost_ns;     /* of doing that, the last time: more in a large lake */
	uint64_t kept_bytes;  /* resident memory behind that */
	unsigned seconds;     /* since when it used little */
};

#define QUIET_S      15                             /* of little use, after which it is quiet */
#define QUIET_USE_NS ((uint64_t)(50 * 1000 * 1000)) /* at most, in each of these seconds */
/* Resident memory is given back if it grew at least so much since the last time. The batches of an
 * idle host take 30 MiB, and use it again; settling eight runs took 90. */
#define QUIET_BYTES ((uint64_t)48 << 20)
/* … and if the process used at least so many times the CPU time that giving it back cost the last
 * time. Settling eight runs took 4.1 to 4.5 times as much. */
#define QUIET_COST 2

/* A look each second: whether there is memory to give back now. used_ns: CPU time of the process,
 * all in all; resident: its memory, bytes. */
bool quiet_look(struct quiet *quiet, uint64_t used_ns, uint64_t resident);

/* To be called each second: looks, and gives the memory of the server back where there is some;
 * never while a page is open. */
void server_release_memory(struct server *server);
