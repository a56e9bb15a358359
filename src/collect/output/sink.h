/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdio.h>

#include "base/buffer.h"
#include "collect/output/outbox.h"

struct spool;

/* The two places where batches go: the spool, or, to audit what would leave, a stream as JSON. */

struct sink_spool {
	struct spool *spool; /* not owned */
	const char *boot_id;
	struct buffer packed;
	_Bool unsynced; /* something was appended since the owner last synced */
};
struct outbox_sink sink_to_spool(struct sink_spool *sink);

struct sink_print {
	FILE *stream; /* not owned */
	uint64_t sequence;
};
/* Each batch as one JSON object, for people. */
struct outbox_sink sink_to_stream(struct sink_print *sink);
