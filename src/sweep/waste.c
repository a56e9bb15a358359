/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/waste.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void waste_clear(struct waste *waste)
{
	free(waste->id);
	free(waste->name);
	free(waste->host_id);
	free(waste->run_id);
	free(waste->task_id);
	free(waste->who);
	free(waste->summary);
	free(waste->evidence);
	free(waste->advice);
	free(waste->command);
	free(waste->hosts);
}

static int grow(struct wastes *wastes)
{
	size_t capacity = wastes->capacity ? 2 * wastes->capacity : 16;
	struct waste *items = realloc(wastes->items, capacity * sizeof(*items));

	if (!items)
		return -ENOMEM;
	wastes->items = items;
	wastes->capacity = capacity;
	return 0;
}

int wastes_add(struct wastes *wastes, struct waste waste)
{
	int rc = wastes->count >= WASTES_MAX ? -ENOSPC : 0;

	if (rc == 0 && wastes->count == wastes->capacity)
		rc = grow(wastes);
	if (rc)
		waste_clear(&waste);
	else
		wastes->items[wastes->count++] = waste;
	return rc;
}

void wastes_filter(struct wastes *wastes, bool (*is_kept)(const struct waste *waste, void *context),
		   void *context)
{
	size_t kept = 0;

	for (size_t i = 0; i < wastes->count; i++) {
		if (is_kept(&wastes->items[i], context))
			wastes->items[kept++] = wastes->items[i];
		else
			waste_clear(&wastes->items[i]);
	}
	wastes->count = kept;
}

void wastes_clear(struct wastes *wastes)
{
	for (size_t i = 0; i < wastes->count; i++)
		waste_clear(&wastes->items[i]);
	free(wastes->items);
	*wastes = (struct wastes){ 0 };
}

int64_t waste_nusd(int64_t nusd_hour, int64_t since_at, int64_t until_at)
{
	const int64_t hour_ns = (int64_t)3600 * 1000 * 1000 * 1000;
	__int128 lasted = until_at > since_at ? until_at - since_at : 0;

	return nusd_hour < 0 ? -1 : (int64_t)((lasted * nusd_hour + hour_ns / 2) / hour_ns);
}

static const char *const SUBJECTS[] = {
	[WASTE_HOST] = "host",       [WASTE_GPU] = "gpu",       [WASTE_TASK] = "task",
	[WASTE_RUN] = "run",         [WASTE_STEP] = "step",     [WASTE_FOLDER] = "folder",
	[WASTE_MACHINE] = "machine", [WASTE_VOLUME] = "volume",
};

const char *waste_subject_name(enum waste_subject subject)
{
	return SUBJECTS[subject];
}

enum waste_subject waste_subject_find(const char *name)
{
	for (size_t i = 0; i < sizeof(SUBJECTS) / sizeof(SUBJECTS[0]); i++)
		if (strcmp(SUBJECTS[i], name) == 0)
			return (enum waste_subject)i;
	return WASTE_HOST;
}

int64_t waste_counted_nusd(const struct waste *waste)
{
	return waste->nusd_hour < 0 ? -1 : waste->claimed_nusd;
}

bool waste_has_host(const struct waste *waste, const char *host_id, size_t index)
{
	for (size_t i = 0; i < waste->host_count; i++)
		if (waste->hosts[i] == index)
			return true;
	return waste->host_id && strcmp(waste->host_id, host_id) == 0;
}
