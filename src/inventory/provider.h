/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

struct listing;

/* A provider: a table of operations. */
struct inventory_provider {
	const char *name; /* "aws" */
	/* Lists an account; errors as of inventory_list. */
	int (*list)(struct listing *listing, struct error *err);
};

/* NULL: there is none of this name. */
const struct inventory_provider *inventory_provider_find(const char *name);

extern const struct inventory_provider INVENTORY_AWS, INVENTORY_GCP;
