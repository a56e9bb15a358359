/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"

/*
 * The file `running` in the state folder: there while an agent runs, with the instant up to which
 * all that it saw is in the spool. Found at start, it shows that the agent before ended without
 * stopping, and since when no agent watched.
 */
struct marker;

struct marker_previous {
	int64_t alive_at; /* 0: it stopped cleanly, or there was none */
	_Bool rebooted;   /* the host went down with it */
};

/* Reads what the agent before left, and begins a new one. Words on failure. */
int marker_open(struct marker **ret, const char *state_folder, const char *boot_id,
		struct marker_previous *ret_previous, struct error *err);
/* Writes the heartbeat; not synced: it must survive the agent, and a power cut changes the boot id.
 */
void marker_beat(struct marker *marker, int64_t alive_at);
/* Removes the file: the agent stopped. */
void marker_remove(struct marker *marker);
void marker_free(struct marker *marker); /* leaves the file; NULL is fine */
