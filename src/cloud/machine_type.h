/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "cloud/cloud.h"

/*
 * The types of machines that a provider rents, with what is known of them beside their prices, from
 * an embedded table (machines.tsv; its head has dates and sources). Pure. Of figures 0 is "unknown"
 * where nothing else is said.
 */
#define CLOUD_TYPE_SIZE   64
#define CLOUD_REGION_SIZE 40

struct cloud_machine_type {
	char type[CLOUD_TYPE_SIZE], family[CLOUD_TYPE_SIZE];
	struct cloud_instance instance;
	double threads_per_core, clock_ghz;
	double network_bytes_s, network_peak_bytes_s; /* baseline; for a while */
	double storage_bytes_s;                       /* baseline, of network storage */
	double local_bytes;                           /* of local storage; < 0: unknown */
	bool burstable, bare_metal, previous_generation;
};

/* -ENOENT: not in the table. */
int cloud_machine_type(const char *provider, const char *type, struct cloud_machine_type *ret);

/* Of each type of a provider, in the order of their names: starts behind `after`, "" for the first
 * one. false: there are no more. */
bool cloud_machine_type_next(const char *provider, const char *after,
			     struct cloud_machine_type *ret);
/* Of each region of which the catalogue has prices of its own, in the order of their names, the
 * base region among them. false: no more. */
bool cloud_region_next(const char *provider, const char *after, char ret[CLOUD_REGION_SIZE]);

/* How many of the spot machines of a type were interrupted within a month, as a band of the
 * provider's. -ENOENT: unknown. */
struct cloud_interruption {
	double low, high;  /* parts of all; high 1: not limited */
	const char *words; /* "< 5 %", "5 to 10 %"; static */
};

int cloud_interruption(const char *provider, const char *region, const char *type,
		       struct cloud_interruption *ret);
