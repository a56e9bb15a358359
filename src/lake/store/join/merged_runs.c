/* SPDX-License-Identifier: Apache-2.0 */
#include "lake/store/join/merged_runs.h"

#include "base/map.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct merged_runs {
	struct map *parts; /* of parts' ids (map_text_key) to struct part, owned */
};

struct part {
	char *run_id; /* owned */
};

struct merged_runs *merged_runs_new(void)
{
	struct merged_runs *merged = calloc(1, sizeof(*merged));

	if (merged)
		merged->parts = map_new(sizeof(struct map_text_key), MERGED_RUNS_MAX);
	if (merged && !merged->parts) {
		free(merged);
		return NULL;
	}
	return merged;
}

static void part_free(struct part *part)
{
	if (part)
		free(part->run_id);
	free(part);
}

static bool free_part(const void *key, void *value, void *context)
{
	part_free(value);
	return true;
}

void merged_runs_free(struct merged_runs *merged)
{
	if (!merged)
		return;
	map_visit(merged->parts, free_part, NULL);
	map_free(merged->parts);
	free(merged);
}

int merged_runs_add(struct merged_runs *merged, const char *part_id, const char *run_id)
{
	struct map_text_key key = map_text_key(part_id, strlen(part_id));
	struct part *part = calloc(1, sizeof(*part));
	int rc = -ENOMEM;

	if (part)
		part->run_id = strdup(run_id);
	if (part && part->run_id) {
		part_free(map_remove(merged->parts, &key));
		rc = map_put(merged->parts, &key, part);
	}
	if (rc)
		part_free(part);
	return rc == -ENOSPC ? 0 : rc;
}

int merged_runs_join(struct merged_runs *merged, const char *part_id, const char *run_id)
{
	return merged_runs_add(merged, part_id, run_id);
}

/* A part of a part belongs to the run at the end; a ring cannot be longer than the table. */
const char *merged_runs_find(const struct merged_runs *merged, const char *run_id)
{
	size_t left = map_count(merged->parts);

	for (; left; left--) {
		struct map_text_key key = map_text_key(run_id, strlen(run_id));
		const struct part *part = map_get(merged->parts, &key);

		if (!part)
			break;
		run_id = part->run_id;
	}
	return run_id;
}
