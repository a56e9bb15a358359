/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Input of a sweep (sweep_input.h): what a provider lists (cloud/inventory/). */
struct sweep_machine {
	const char *provider, *account, *region, *zone, *id, *name, *type, *purchase, *image;
	const char
		*group; /* that keeps it: "AWS Batch, compute environment x", "EKS, node group y" */
	const char *owner; /* by its tags */
	int64_t launched_at;
	int64_t listed_at; /* when the provider listed it as running */
	int64_t nusd_hour; /* < 0: unknown */
	bool has_agent;    /* one of its id reported itself within the last hour */
	bool by_design;    /* marked by a tag or the policy */
};

struct sweep_volume {
	const char *provider, *account, *region, *id, *name, *type, *owner;
	uint64_t bytes;
	const char *attached_to; /* instance id; "": none */
	int64_t created_at, listed_at;
	int64_t detached_since; /* the first listing in which it was attached to none; 0: it is */
	int64_t nusd_hour;      /* < 0: unknown */
	bool by_design;
};
