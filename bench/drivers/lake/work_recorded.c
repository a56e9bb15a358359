/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "recorded_ids.h"
#include "recordings.h"
#include "simulated_agent.h"
#include "work.h"

/*
 * What agents sent of real runs: each agent repeats one of the recorded runs, batch after batch,
 * with new ids and present times.
 */
struct repeated {
	uint64_t repetition, next; /* batch of the run */
	int64_t began_at;
};

struct recorded {
	struct recordings recordings; /* owned */
	struct recorded_ids **ids;    /* owned; by run */
	struct repeated *agents;      /* owned */
	unsigned first_agent;
};

/* Texts in the batches belong to the ids now: the batches are left to the end of the process. */
static void recorded_close(void *state)
{
	struct recorded *recorded = state;

	if (!recorded)
		return;
	for (size_t i = 0; recorded->ids && i < recorded->recordings.count; i++)
		recorded_ids_free(recorded->ids[i]);
	free(recorded->ids);
	free(recorded->agents);
	free(recorded);
}

DEFINE_CLEANUP(struct recorded *, recorded_close)

static void *recorded_open(const struct work_options *options, struct error *err)
{
	CLEANUP(recorded_closep) struct recorded *recorded = calloc(1, sizeof(*recorded));

	if (!recorded || recordings_open(&recorded->recordings, options->folder, err))
		return NULL;
	recorded->first_agent = options->first_agent;
	recorded->ids = calloc(recorded->recordings.count, sizeof(struct recorded_ids *));
	recorded->agents = calloc(options->agents, sizeof(struct repeated));
	if (!recorded->ids || !recorded->agents) {
		error_set(err, -ENOMEM, "no memory for %u agents", options->agents);
		return NULL;
	}
	for (size_t i = 0; i < recorded->recordings.count; i++) {
		struct recorded_run *run = &recorded->recordings.runs[i];

		if (recorded_ids_new(&recorded->ids[i], run->batches, run->count, err))
			return NULL;
	}
	return TAKE_PTR(recorded);
}

static bool recorded_next(void *state, unsigned agent, uint64_t sequence, struct buffer *out,
			  struct work_counts *ret)
{
	struct recorded *recorded = state;
	size_t which = agent % recorded->recordings.count;
	struct repeated *now = &recorded->agents[agent];
	const struct recorded_run *run = &recorded->recordings.runs[which];
	Signal__Batch batch;
	void *bytes;

	if (!now->began_at) /* agents are at different batches of their runs */
		now->next = agent * UINT64_C(7919) % run->count;
	if (!now->began_at || now->next == 0)
		now->began_at = clock_real_ns() - recorded_ids_lasts_ns(recorded->ids[which]);
	recorded_ids_apply(recorded->ids[which], now->next, recorded->first_agent + agent,
			   now->repetition, now->began_at);
	batch = *run->batches[now->next];
	simulated_header(out, recorded->first_agent + agent, sequence, batch.created_at);
	batch.agent_id = batch.host_id = batch.boot_id = (char *)(uintptr_t) "";
	batch.sequence = 0;
	batch.created_at = 0;
	bytes = buffer_extend(out, signal__batch__get_packed_size(&batch));
	if (!bytes)
		return false;
	signal__batch__pack(&batch, bytes);
	ret->samples = batch.n_samples;
	if (++now->next == run->count) {
		now->next = 0;
		now->repetition++;
	}
	return true;
}

const struct work WORK_RECORDED = {
	.name = "recorded",
	.help = "batches of the recorded runs, again and again with new ids and present times",
	.open = recorded_open,
	.next = recorded_next,
	.close = recorded_close,
};
