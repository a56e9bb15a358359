/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/agent/losses.h"
#include "collect/agent/pipeline.h"
#include "collect/attribution/attributor.h"
#include "collect/output/outbox.h"
#include "collect/output/record.h"
#include "collect/process/tracker.h"

#include <stdio.h>

#include "base/json.h"
#include "ship/spool.h"

#define WHY_BYTES 128

static const struct {
	const char *name, *what, *why;
} kinds[] = {
#define KIND(member, name, what, why) { name, what, why },
	PROBE_LOSSES(KIND) AGENT_LOSSES(KIND)
#undef KIND
};

void losses_count(const struct pipeline *pipeline, struct probe *probe, const struct spool *spool,
		  uint64_t ret[LOSS_KINDS])
{
	struct probe_losses kernel = { 0 };

	if (probe)
		probe_losses(probe, &kernel);
#define COUNT(member, name, what, why) ret[LOSS_##member] = kernel.member;
	PROBE_LOSSES(COUNT)
#undef COUNT
	ret[LOSS_refused] = tracker_counts(pipeline->tracker)->refused;
	ret[LOSS_tree_refused] = attributor_refused(pipeline->attributor);
	ret[LOSS_batches] = spool ? spool_lost_batches(spool) : 0;
}

void losses_record(struct losses *losses, struct outbox *outbox, const uint64_t now[LOSS_KINDS])
{
	for (size_t i = 0; i < LOSS_KINDS; i++) {
		uint64_t *recorded = &losses->recorded[i];

		if (kinds[i].why && now[i] > *recorded)
			record_loss(outbox, kinds[i].what, now[i] - *recorded, losses->checked_at,
				    kinds[i].why);
		*recorded = now[i];
	}
}

void losses_check(struct losses *losses, const struct pipeline *pipeline, struct probe *probe,
		  const struct spool *spool)
{
	uint64_t now[LOSS_KINDS];

	losses_count(pipeline, probe, spool, now);
	losses_record(losses, pipeline->outbox, now);
	losses->checked_at = agent_clock_now(&pipeline->clock);
}

void losses_write(const uint64_t now[LOSS_KINDS], struct json *json)
{
	json_object_begin(json);
	for (size_t i = 0; i < LOSS_KINDS; i++) {
		json_key(json, kinds[i].name);
		json_u64(json, now[i]);
	}
	json_object_end(json);
}

void losses_take_spool(struct outbox *outbox, struct spool *spool)
{
	struct spool_loss loss;

	while (spool_take_loss(spool, &loss) > 0) {
		Signal__Loss record = SIGNAL__LOSS__INIT;
		char why[WHY_BYTES];

		if (loss.records)
			(void)snprintf(why, sizeof(why), "%s: %llu records", loss.why,
				       (unsigned long long)loss.records);
		else
			(void)snprintf(why, sizeof(why), "%s", loss.why);
		record.what = (char[]){ "batches" };
		record.count = loss.batches;
		record.since_at = loss.since_at;
		record.until_at = loss.until_at;
		record.why = why;
		outbox_add(outbox, &record.base);
	}
}
