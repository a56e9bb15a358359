/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "inventory/inventory.h"

struct fetch;

/* A listing that goes on: what the code of a provider writes machines and volumes to. Texts may be
 * NULL, which is as ""; instants are RFC 3339, as the provider gives them. */
struct listed_machine {
	const char *region, *zone, *id, *name, *hostname, *type, *purchase, *image, *state, *group;
	const char *launched_at;
	const json_t *tags; /* an object of texts; NULL: none */
};

struct listed_volume {
	const char *region, *zone, *id, *name, *type, *attached_to, *created_at;
	const char *detached_at; /* "": the provider does not say it */
	uint64_t bytes;
	const json_t *tags;
};

struct listing {
	const struct inventory_account *account;
	const struct inventory_sink *sink;
	struct fetch *fetch;
	char account_id[128]; /* AWS: 12 digits; GCP: the project; "" until it is known */
	uint64_t until_ns;    /* by the monotonic clock */
	size_t rows, of_part; /* written; since the last line "region" */
	bool incomplete;
	struct error first; /* of what was not listed */
	int first_rc;
};

/* Write a line. -ENOSPC: more than INVENTORY_ROWS; -ENOMEM; errors of the sink. Bytes that are no
 * UTF-8 or that a terminal may obey are replaced. */
int listing_machine(struct listing *listing, const struct listed_machine *machine);
int listing_volume(struct listing *listing, const struct listed_volume *volume);
/* Ends a part: rc and err of listing it, 0 if it is complete. Returns rc where the listing cannot
 * go on with another part (errors of the sink), else 0. what: "machines", "volumes". */
int listing_part(struct listing *listing, const char *region, const char *what, int rc,
		 const struct error *err);

/* Of a JSON object; "" where there is none of this name or it is no text. */
const char *listing_text(const json_t *object, const char *name);
