/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "collect/output/outbox.h"

/* A sink that keeps what it is given: each batch packed and read back, as a lake would read it. */
#define SINK_BATCHES 4096

struct sink_kept {
	Signal__Batch *batches[SINK_BATCHES];
	enum spool_kind kinds[SINK_BATCHES];
	size_t count;
	uint64_t sequence;
	int refuse; /* -errno to answer with; 0: takes it */
};

struct outbox_sink sink_keeps(struct sink_kept *kept);
void sink_clear(struct sink_kept *kept);

/* The nth execution record of this process's image (any image for image_seq 0), in the order of
 * their arrival; NULL: there are not so many. */
const Signal__Execution *sink_execution(const struct sink_kept *kept, uint32_t pid,
					uint64_t image_seq, size_t nth);
size_t sink_execution_count(const struct sink_kept *kept, uint32_t pid, uint64_t image_seq);
/* The sum of the growth in all samples of the process's image; of one that was never sampled its
 * last record counts as one. */
Signal__Figures sink_sampled(const struct sink_kept *kept, uint32_t pid, uint64_t image_seq);
size_t sink_sample_count(const struct sink_kept *kept, uint32_t pid, uint64_t image_seq);
/* The nth loss of this kind, event of this kind; NULL: none. */
const Signal__Loss *sink_loss(const struct sink_kept *kept, const char *what, size_t nth);
const Signal__Event *sink_event(const struct sink_kept *kept, const char *kind, size_t nth);
