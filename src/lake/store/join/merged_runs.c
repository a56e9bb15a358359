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

struct move {
	const char *part_id, *run_id;
	bool failed;
};

static bool move_part(const void *key, void *value, void *context)
{
	struct move *move = context;
	struct part *part = value;
	char *run_id;

	if (strcmp(part->run_id, move->part_id) != 0)
		return true;
	run_id = strdup(move->run_id);
	if (!run_id) {
		move->failed = true;
		return false;
	}
	free(part->run_id);
	part->run_id = run_id;
	return true;
}

int merged_runs_join(struct merged_runs *merged, const char *part_id, const char *run_id)
{
	struct move move = { .part_id = part_id, .run_id = run_id };

	map_visit(merged->parts, move_part, &move);
	return move.failed ? -ENOMEM : merged_runs_add(merged, part_id, run_id);
}

const char *merged_runs_find(const struct merged_runs *merged, const char *run_id)
{
	struct map_text_key key;
	const struct part *part;

	if (!map_count(merged->parts))
		return run_id;
	key = map_text_key(run_id, strlen(run_id));
	part = map_get(merged->parts, &key);
	return part ? part->run_id : run_id;
}
