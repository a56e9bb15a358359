/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/ingest/batch_list.h"

#include "base/json.h"

void batch_list_write(struct buffer *out, const Signal__Batch *const *batches, size_t count,
		      bool (*chosen)(const Signal__Batch *batch))
{
	struct json json;

	json_init(&json, out, false);
	json_array_begin(&json);
	for (size_t i = 0; i < count; i++) {
		if (!chosen(batches[i]))
			continue;
		json_object_begin(&json);
		json_key(&json, "agent_id");
		json_text(&json, batches[i]->agent_id);
		json_key(&json, "boot_id");
		json_text(&json, batches[i]->boot_id);
		json_key(&json, "sequence");
		json_u64(&json, batches[i]->sequence);
		json_object_end(&json);
	}
	json_array_end(&json);
}
