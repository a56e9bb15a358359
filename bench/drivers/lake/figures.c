/* SPDX-License-Identifier: Apache-2.0 */
#include "figures.h"

#include <errno.h>
#include <stdlib.h>

#include "recordings.h"

static uint64_t next_number(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Figures of a few threads or descriptors stay as they are. */
static uint64_t vary(uint64_t value, uint64_t *state)
{
	return value < 16 ? value : value * (700 + next_number(state) % 600) / 1000;
}

static void pack_varied(struct figures *ret, const Signal__Figures *recorded, uint64_t *state)
{
	const ProtobufCMessageDescriptor *kind = &signal__figures__descriptor;
	Signal__Figures figures = *recorded;

	for (unsigned i = 0; i < kind->n_fields; i++) {
		uint64_t *value = (void *)((char *)&figures + kind->fields[i].offset);

		*value = vary(*value, state);
	}
	if (signal__figures__get_packed_size(&figures) <= FIGURES_BYTES)
		ret->len = (uint16_t)signal__figures__pack(&figures, ret->bytes);
}

static size_t gather(const struct recordings *recordings, const Signal__Figures **ret, size_t most)
{
	size_t count = 0;

	for (size_t i = 0; i < recordings->count; i++)
		for (size_t k = 0; k < recordings->runs[i].count; k++) {
			const Signal__Batch *batch = recordings->runs[i].batches[k];

			for (size_t n = 0; n < batch->n_samples && count < most; n++)
				if (batch->samples[n]->figures)
					ret[count++] = batch->samples[n]->figures;
		}
	return count;
}

int figures_open(struct figures **ret, const char *folder, struct error *err)
{
	static const Signal__Figures *recorded[FIGURES_COUNT];
	struct figures *figures = calloc(FIGURES_COUNT, sizeof(*figures));
	struct recordings recordings = { 0 };
	uint64_t state = 0x9e3779b97f4a7c15;
	size_t count = 0;
	int rc = recordings_open(&recordings, folder, err);

	if (!rc) {
		count = gather(&recordings, recorded, FIGURES_COUNT);
		if (!count || !figures)
			rc = error_set(err, -ENOMEM, "no memory, or no sample in %s", folder);
	}
	for (size_t i = 0; !rc && i < FIGURES_COUNT; i++)
		pack_varied(&figures[i], recorded[next_number(&state) % count], &state);
	recordings_close(&recordings);
	if (rc)
		free(figures);
	else
		*ret = figures;
	return rc;
}
