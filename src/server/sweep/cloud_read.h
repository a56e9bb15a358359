/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"
#include "sweep/sweep_cloud.h"

struct server;
struct store_rows;

/* What providers list as running, and as attached to nothing (sweep/sweep_cloud.h), as of an
 * instant. */
struct sweep_cloud {
	struct sweep_machine *machines;
	size_t machine_count;
	struct sweep_volume *volumes;
	size_t volume_count;
	struct store_rows *rows[2]; /* texts are of these */
	size_t row_count;
};

/* ret is zeroed. Errors as of query_named; -ENOMEM with words. sweep_cloud_clear must follow, also
 * on failure. */
int sweep_cloud_read(struct server *server, int64_t now_at, struct sweep_cloud *ret,
		     struct error *err);
void sweep_cloud_clear(struct sweep_cloud *cloud);
