/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/batch_merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

NO_LEAK_ANALYSIS

static int merge_list(Signal__Batch *into, Signal__Batch *from,
		      const ProtobufCFieldDescriptor *list)
{
	size_t *count = (size_t *)((char *)into + list->quantifier_offset);
	size_t *more = (size_t *)((char *)from + list->quantifier_offset);
	void ***records = (void ***)((char *)into + list->offset);
	void **added = *(void ***)((char *)from + list->offset), **grown;

	if (!*more)
		return 0;
	grown = realloc(*records, (*count + *more) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	memcpy(grown + *count, added, *more * sizeof(*grown));
	*records = grown;
	*count += *more;
	*more = 0; /* protobuf-c frees the array by its own pointer */
	return 0;
}

int batch_merge(Signal__Batch *into, Signal__Batch *from)
{
	const ProtobufCMessageDescriptor *descriptor = &signal__batch__descriptor;
	int r = 0;

	for (unsigned i = 0; !r && i < descriptor->n_fields; i++)
		if (descriptor->fields[i].label == PROTOBUF_C_LABEL_REPEATED)
			r = merge_list(into, from, &descriptor->fields[i]);
	into->sequence = from->sequence;
	into->created_at = from->created_at;
	return r;
}
