/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/finder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep_index.h"

int waste_add(const struct waste_finder *finder, const struct sweep_input *input,
	      struct waste waste, struct wastes *ret)
{
	bool complete = waste.id && waste.name && waste.summary && waste.evidence;
	int64_t all_nusd = waste_nusd(waste.nusd_hour, waste.since_at, input->now_at);
	int rc;

	waste.kind = finder->name;
	if (waste.nusd_hour < 0)
		waste.wasted_nusd = -1;
	else if (waste.wasted_nusd == 0)
		waste.wasted_nusd = all_nusd;
	waste.paid_share = all_nusd > 0 ? (double)waste.wasted_nusd / (double)all_nusd : 1;
	rc = wastes_add(ret, waste);
	return rc == 0 && !complete ? -ENOMEM : rc;
}

const struct sweep_host *sweep_host_find(const struct sweep_input *input, const char *id)
{
	if (input->host_index)
		return sweep_index_find(input->host_index, id);
	for (size_t i = 0; id && i < input->host_count; i++)
		if (strcmp(input->hosts[i].id, id) == 0)
			return &input->hosts[i];
	return NULL;
}

bool sweep_host_is_fresh(const struct sweep_input *input, const struct sweep_host *host)
{
	return host->seen_at > 0 &&
	       llabs(input->now_at - host->seen_at) <= sweep_limit_ns(input, SWEEP_FRESH_S);
}

void waste_evidence_begin(struct waste_evidence *evidence)
{
	buffer_init(&evidence->out, 0);
	json_init(&evidence->json, &evidence->out, false);
	json_object_begin(&evidence->json);
}

void waste_evidence_number(struct waste_evidence *evidence, const char *key, double value)
{
	json_key(&evidence->json, key);
	json_double(&evidence->json, value);
}

void waste_evidence_i64(struct waste_evidence *evidence, const char *key, int64_t value)
{
	json_key(&evidence->json, key);
	json_i64(&evidence->json, value);
}

void waste_evidence_text(struct waste_evidence *evidence, const char *key, const char *value)
{
	json_key(&evidence->json, key);
	json_text(&evidence->json, value); /* NULL: null */
}

char *waste_evidence_end(struct waste_evidence *evidence)
{
	char *text;

	json_object_end(&evidence->json);
	text = buffer_take(&evidence->out);
	buffer_clear(&evidence->out);
	return text;
}
