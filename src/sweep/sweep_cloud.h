/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Input of a sweep (sweep_input.h): what a provider lists (inventory/). Texts are never NULL;
 * "" is unknown, or none. */

/* Whether the provider has it. What is not SWEEP_LISTED is there for a waste that goes on about it.
 */
enum sweep_listed {
	SWEEP_LISTED,
	SWEEP_GONE,    /* a complete listing does not have it, or not as running */
	SWEEP_UNKNOWN, /* a listing that was due did not come, or was not complete */
};

struct sweep_machine {
	enum sweep_listed listed;
	const char *provider, *account, *region, *zone, *id, *name, *type, *purchase, *image;
	const char *account_id; /* AWS: a number; GCP: a project */
	const char
		*group; /* that keeps it: "AWS Batch, compute environment x", "EKS, node group y" */
	const char *owner, *tags; /* owner: by its tags; tags: a JSON object of texts */
	int64_t launched_at;      /* 0: unknown */
	int64_t first_listed_at;
	int64_t listed_at; /* when the provider listed it as running */
	int64_t nusd_hour; /* < 0: unknown */
	bool has_agent;    /* one of its id reported itself within the last hour */
	bool by_design;    /* marked by a tag or the policy */
};

struct sweep_volume {
	enum sweep_listed listed;
	const char *provider, *account, *account_id, *region, *zone, *id, *name, *type;
	const char *owner, *tags;
	uint64_t bytes;
	const char *attached_to; /* a machine's id; "": none */
	int64_t created_at;      /* 0: unknown */
	int64_t listed_at;
	/* When it was detached, where the provider says it, else the first listing in which it was
	 * attached to none; 0: it is attached. */
	const char *price_source; /* for people */
	int64_t detached_since;
	int64_t nusd_hour; /* < 0: unknown */
	bool by_design;
};
