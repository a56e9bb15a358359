/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/batch_select.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"

/* What a kind of record is kept by: the offset of a field, or none. */
struct criterion {
	const ProtobufCFieldDescriptor *run, *cgroup;
	bool state; /* holds until the next record of it */
};

static const char *const STATES[] = { "hosts", "containers", "gpus" };

static struct criterion criterion_of(const ProtobufCFieldDescriptor *list)
{
	const ProtobufCMessageDescriptor *kind = list->descriptor;
	struct criterion criterion = {
		.run = protobuf_c_message_descriptor_get_field_by_name(kind, "run_id"),
	};

	/* Executions and tasks have a cgroup_id as well: the run counts. */
	if (text_starts_with(list->name, "container"))
		criterion.cgroup =
			protobuf_c_message_descriptor_get_field_by_name(kind, "cgroup_id");
	for (size_t i = 0; i < sizeof(STATES) / sizeof(*STATES); i++)
		criterion.state |= strcmp(list->name, STATES[i]) == 0;
	return criterion;
}

static bool stays(const ProtobufCMessage *record, const struct criterion *criterion,
		  const struct batch_selection *selection, bool state_only)
{
	const char *base = (const char *)record;

	if (criterion->run) {
		const char *run = *(char *const *)(base + criterion->run->offset);
		struct map_text_key key = map_text_key(run, strlen(run));

		return map_get(selection->runs, &key) != NULL;
	}
	if (state_only && !criterion->state)
		return false;
	return !criterion->cgroup ||
	       map_get(selection->cgroups, base + criterion->cgroup->offset) != NULL;
}

static void select_list(Signal__Batch *batch, const ProtobufCFieldDescriptor *list,
			const struct batch_selection *selection, bool state_only)
{
	struct criterion criterion = criterion_of(list);
	size_t *count = (size_t *)((char *)batch + list->quantifier_offset), kept = 0;
	ProtobufCMessage **records = *(ProtobufCMessage ***)((char *)batch + list->offset);

	for (size_t i = 0; i < *count; i++) {
		if (stays(records[i], &criterion, selection, state_only))
			records[kept++] = records[i];
		else
			protobuf_c_message_free_unpacked(records[i], NULL);
	}
	*count = kept;
}

void batch_select(Signal__Batch *batch, const struct batch_selection *selection, bool state_only)
{
	const ProtobufCMessageDescriptor *descriptor = &signal__batch__descriptor;

	for (unsigned i = 0; i < descriptor->n_fields; i++)
		if (descriptor->fields[i].label == PROTOBUF_C_LABEL_REPEATED)
			select_list(batch, &descriptor->fields[i], selection, state_only);
}
