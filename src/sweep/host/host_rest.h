/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/finder.h"
#include "sweep/host/host_window.h"

/* A host at rest: it does nothing, tracked or not. */
struct host_rest {
	int64_t since_at;          /* since when, without a pause */
	struct host_window window; /* of that time, as far as minutes are known */
};

/* Whether a host has been at rest for patience_ns, up to its last sample. busy_until: the last
 * instant at which it is known to have been in use; it also was before it was up. A host rests
 * where samples cover the time (SWEEP_COVERED), and in no time of that length its CPUs, disks and
 * networks did more on average than the thresholds idle_… allow, nor did a GPU compute. */
bool host_is_at_rest(const struct sweep_input *input, const struct sweep_host *host,
		     int64_t busy_until, int64_t patience_ns, struct host_rest *ret);
/* The mean use of all its CPUs, up to which a host is at rest. */
double host_rest_cpu(const struct sweep_input *input, const struct sweep_host *host);
/* The last instant at which a GPU of it computed, or was not known to be idle; 0: never. false: of
 * one nothing is known. */
bool host_gpus_in_use_until(const struct sweep_host *host, int64_t *ret);
/* Until when what it does is known: its last sample. */
int64_t host_known_until(const struct sweep_input *input, const struct sweep_host *host);
