/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * A type of machine, and what it is offered for. Plain values, which the server fills from the
 * catalogue. Texts are never NULL; "" and 0 are "unknown" where nothing else is said.
 */
struct recommend_machine {
	const char *provider, *type, *family, *arch;
	double cpus; /* as its system counts them: threads of its cores */
	double threads_per_core, clock_ghz;
	double memory_bytes;
	double storage_bytes_s, network_bytes_s; /* that it has at any time */
	bool burstable, previous_generation;
};

struct recommend_offer {
	size_t machine;                /* of the caller's */
	const char *region, *purchase; /* "on_demand", "spot"; "": of one's own */
	double usd_hour;               /* > 0 */
	bool exact;                    /* the price; false: estimated */
	bool taken_back;               /* when the provider needs it: a spot machine */
	double interrupted;            /* part of such machines that is taken back; < 0: unknown */
	const char *interruption;      /* the same for people: "5 to 10 %" */
};
