/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <string.h>

#include "base/map.h"
#include "server/query/query.h"

/* A process of any host, as the key of a map. */
struct process_key {
	struct map_text_key host;
	int64_t pid, start_ns;
};

static inline struct process_key process_key(const char *host_id, int64_t pid, int64_t start_ns)
{
	struct process_key key;

	memset(&key, 0, sizeof(key)); /* its padding is compared, too */
	key.host = map_text_key(host_id, strlen(host_id));
	key.pid = pid;
	key.start_ns = start_ns;
	return key;
}

/* That of the current row: columns host_id and these two. */
static inline struct process_key process_key_of(const struct store_rows *rows, const char *pid,
						const char *start_ns)
{
	return process_key(row_text(rows, "host_id"), row_i64(rows, pid), row_i64(rows, start_ns));
}
