/* SPDX-License-Identifier: Apache-2.0 */
#include "figures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/varint.h"
#include "recordings.h"

#define PAGE          4096u
#define LEVEL_SAMPLES 8
#define FEW           16 /* counts below it stay as they are */

static const char *const LEVELS[] = { "rss_bytes",        "rss_peak_bytes",  "rss_anon_bytes",
				      "rss_file_bytes",   "rss_shmem_bytes", "swap_bytes",
				      "gpu_memory_bytes", "threads_peak" };

static bool is_level(const char *name)
{
	for (size_t i = 0; i < sizeof(LEVELS) / sizeof(LEVELS[0]); i++)
		if (strcmp(LEVELS[i], name) == 0)
			return true;
	return false;
}

static void take(struct figures *ret, const Signal__Figures *recorded)
{
	const ProtobufCMessageDescriptor *kind = &signal__figures__descriptor;

	ret->count = 0;
	for (unsigned i = 0; i < kind->n_fields && ret->count < FIGURES_MAX; i++) {
		const ProtobufCFieldDescriptor *field = &kind->fields[i];
		uint64_t value;

		memcpy(&value, (const char *)recorded + field->offset, sizeof(value));
		if (value)
			ret->items[ret->count++] =
				(struct figure){ (uint8_t)field->id, is_level(field->name), value };
	}
}

static int take_batch(struct figures_set *set, const Signal__Batch *batch)
{
	for (size_t n = 0; n < batch->n_samples; n++) {
		struct figures *larger;

		if (!batch->samples[n]->figures)
			continue;
		larger = realloc(set->all, (set->count + 1) * sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		set->all = larger;
		take(&set->all[set->count++], batch->samples[n]->figures);
	}
	return 0;
}

int figures_open(struct figures_set *ret, const char *folder, struct error *err)
{
	struct recordings recordings = { 0 };
	int rc = recordings_open(&recordings, folder, err);

	*ret = (struct figures_set){ 0 };
	for (size_t i = 0; !rc && i < recordings.count; i++)
		for (size_t k = 0; !rc && k < recordings.runs[i].count; k++)
			rc = take_batch(ret, recordings.runs[i].batches[k]);
	recordings_close(&recordings);
	if (!rc && !ret->count)
		rc = error_set(err, -ENOENT, "%s has no recorded run with samples", folder);
	return rc;
}

void figures_close(struct figures_set *set)
{
	free(set->all);
	*set = (struct figures_set){ 0 };
}

const struct figures *figures_of(const struct figures_set *set, uint64_t process)
{
	return &set->all[process * UINT64_C(2654435761) % set->count];
}

/* splitmix64 (Steele, Lea and Flood, 2014). */
static uint64_t mix(uint64_t value)
{
	value += UINT64_C(0x9e3779b97f4a7c15);
	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

/* By up to 30 %, in steps as small as the figure's own; memory in pages. */
static uint64_t vary(const struct figure *figure, uint64_t chance)
{
	uint64_t value = figure->value, width = value * 6 / 10;

	if (value < FEW)
		return value;
	if (value > INT64_MAX / 10)
		return value;
	value = value - width / 2 + chance % (width + 1);
	return figure->is_level && value > PAGE ? value / PAGE * PAGE : value;
}

size_t figures_pack(const struct figures *figures, uint64_t process, uint64_t n,
		    uint8_t bytes[FIGURES_BYTES])
{
	uint64_t seed = mix(process), often = mix(seed ^ n), seldom = mix(seed ^ n / LEVEL_SAMPLES);
	size_t len = 0;

	for (size_t i = 0; i < figures->count && len + 2 * VARINT_BYTES < FIGURES_BYTES; i++) {
		const struct figure *figure = &figures->items[i];
		uint64_t chance = mix((figure->is_level ? seldom : often) + figure->tag);

		len += varint_put(bytes + len, (uint64_t)figure->tag << 3);
		len += varint_put(bytes + len, vary(figure, chance));
	}
	return len;
}
