/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/finder.h"

/* What findings about a provider's machines and volumes have in common. */

/* NULL where there is none, or no memory. */
char *cloud_copy(const char *text);
/* Its name and id, for people: "build-7 (i-0123)". NULL: no memory. */
char *cloud_name(const char *name, const char *id);
/* Whether the policy exempts what has this name, owner and tags from the findings of a finder. */
bool cloud_is_exempted(const struct waste_finder *finder, const struct sweep_input *input,
		       const char *name, const char *owner, const char *tags);

/* Of what a finder finds the most expensive, at most so many: a sweep has room for other findings
 * (WASTES_MAX). */
#define CLOUD_FOUND_MAX 1000
struct cloud_found {
	int64_t nusd_hour;
	const char *id;
	const void *item;
};
/* Sorts by price, then by id; returns how many are kept. */
size_t cloud_most_expensive(struct cloud_found *found, size_t count);

/* A command that is built of texts, each quoted for a shell, where that is what came from outside:
 * parts alternate between text as it is and what is quoted, and end with NULL. NULL: no memory, or
 * no command can have it (shell_name). */
char *cloud_command(const char *const *parts);
