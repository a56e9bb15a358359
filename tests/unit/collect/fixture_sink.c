/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_sink.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "signal/batch.h"
#include "signal/figures.h"

static uint64_t next_sequence(void *context)
{
	return ++((struct sink_kept *)context)->sequence;
}

static int put(void *context, const struct outbox_batch *batch)
{
	struct sink_kept *kept = context;
	struct buffer packed;
	struct error err = { 0 };

	if (kept->refuse)
		return kept->refuse;
	assert_true(kept->count < SINK_BATCHES);
	buffer_init(&packed, 0);
	assert_int_equal(batch_compress(batch->bytes, batch->len, &packed), 0);
	kept->kinds[kept->count] = batch->kind;
	assert_int_equal(batch_unpack(packed.data, packed.len, &kept->batches[kept->count++], &err),
			 0);
	buffer_clear(&packed);
	return 0;
}

struct outbox_sink sink_keeps(struct sink_kept *kept)
{
	memset(kept, 0, sizeof(*kept));
	return (struct outbox_sink){ .next_sequence = next_sequence, .put = put, .context = kept };
}

void sink_clear(struct sink_kept *kept)
{
	for (size_t i = 0; i < kept->count; i++)
		batch_free(kept->batches[i]);
	kept->count = 0;
}

static const Signal__Execution *find_execution(const struct sink_kept *kept, uint32_t pid,
					       uint64_t image_seq, size_t nth, size_t *ret_count)
{
	const Signal__Execution *found = NULL;

	*ret_count = 0;
	for (size_t i = 0; i < kept->count; i++) {
		for (size_t j = 0; j < kept->batches[i]->n_executions; j++) {
			const Signal__Execution *execution = kept->batches[i]->executions[j];

			if (execution->pid != pid ||
			    (image_seq && execution->image_seq != image_seq))
				continue;
			if ((*ret_count)++ == nth)
				found = execution;
		}
	}
	return found;
}

const Signal__Execution *sink_execution(const struct sink_kept *kept, uint32_t pid,
					uint64_t image_seq, size_t nth)
{
	size_t count;

	return find_execution(kept, pid, image_seq, nth, &count);
}

size_t sink_execution_count(const struct sink_kept *kept, uint32_t pid, uint64_t image_seq)
{
	size_t count;

	find_execution(kept, pid, image_seq, 0, &count);
	return count;
}

/* SUMs, WAITs and LEVELs add, of PEAKs the larger counts. */
static void add(Signal__Figures *total, const Signal__Figures *more)
{
#define SUM(name)   total->name += more->name;
#define WAIT(name)  SUM(name)
#define LEVEL(name) SUM(name)
#define PEAK(name)                    \
	if (more->name > total->name) \
		total->name = more->name;
#define ADD(name, kind) kind(name)
	FIGURES(ADD)
#undef ADD
#undef PEAK
#undef LEVEL
#undef WAIT
#undef SUM
}

static bool has_sample(const struct sink_kept *kept, const Signal__Execution *execution)
{
	for (size_t i = 0; i < kept->count; i++)
		for (size_t j = 0; j < kept->batches[i]->n_samples; j++)
			if (kept->batches[i]->samples[j]->pid == execution->pid &&
			    kept->batches[i]->samples[j]->image_seq == execution->image_seq)
				return true;
	return false;
}

/* As the lake has it: of an image that was never sampled the last record of its end says all,
 * unless it was lost. */
static size_t sum_unsampled(const struct sink_kept *kept, uint32_t pid, uint64_t image_seq,
			    Signal__Figures *total)
{
	const Signal__Execution *execution;
	size_t count = 0;

	for (size_t nth = 0; (execution = sink_execution(kept, pid, image_seq, nth)); nth++) {
		size_t all = sink_execution_count(kept, pid, execution->image_seq);

		if (!execution->ended_at || !strcmp(execution->status, "lost") ||
		    has_sample(kept, execution) ||
		    sink_execution(kept, pid, execution->image_seq, all - 1) != execution)
			continue;
		add(total, execution->figures);
		count++;
	}
	return count;
}

static size_t sum_samples(const struct sink_kept *kept, uint32_t pid, uint64_t image_seq,
			  Signal__Figures *total)
{
	size_t count = 0;

	signal__figures__init(total);
	for (size_t i = 0; i < kept->count; i++) {
		for (size_t j = 0; j < kept->batches[i]->n_samples; j++) {
			const Signal__Sample *sample = kept->batches[i]->samples[j];

			if (sample->pid != pid || (image_seq && sample->image_seq != image_seq))
				continue;
			assert_true(sample->since_at > 0 && sample->until_at >= sample->since_at);
			add(total, sample->figures);
			count++;
		}
	}
	return count + sum_unsampled(kept, pid, image_seq, total);
}

Signal__Figures sink_sampled(const struct sink_kept *kept, uint32_t pid, uint64_t image_seq)
{
	Signal__Figures total;

	sum_samples(kept, pid, image_seq, &total);
	return total;
}

size_t sink_sample_count(const struct sink_kept *kept, uint32_t pid, uint64_t image_seq)
{
	Signal__Figures total;

	return sum_samples(kept, pid, image_seq, &total);
}

const Signal__Loss *sink_loss(const struct sink_kept *kept, const char *what, size_t nth)
{
	for (size_t i = 0; i < kept->count; i++) {
		for (size_t j = 0; j < kept->batches[i]->n_losses; j++) {
			const Signal__Loss *loss = kept->batches[i]->losses[j];

			if (strcmp(loss->what, what) == 0 && nth-- == 0)
				return loss;
		}
	}
	return NULL;
}

const Signal__Event *sink_event(const struct sink_kept *kept, const char *kind, size_t nth)
{
	for (size_t i = 0; i < kept->count; i++) {
		for (size_t j = 0; j < kept->batches[i]->n_events; j++) {
			const Signal__Event *event = kept->batches[i]->events[j];

			if (strcmp(event->kind, kind) == 0 && nth-- == 0)
				return event;
		}
	}
	return NULL;
}
