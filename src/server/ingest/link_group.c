/* SPDX-License-Identifier: Apache-2.0 */
#include "server/ingest/link_group.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/memory/arena.h"
#include "base/text.h"
#include "server/access/token_record.h"

#define MARK " (group "

static int mark(Signal__Link *link, struct arena *arena, const char *group)
{
	size_t size = strlen(link->value) + sizeof(MARK) + strlen(group) + sizeof(")");
	char *marked = arena_take(arena, size);

	if (!marked)
		return -ENOMEM;
	(void)snprintf(marked, size, "%s" MARK "%s)", link->value, group);
	link->value = marked;
	return 0;
}

static bool looks_marked(const char *value)
{
	return strstr(value, MARK) && text_ends_with(value, ")");
}

int link_group_mark(Signal__Batch *batch, struct arena *arena, const char *group)
{
	bool is_default = !*group || strcmp(group, TOKEN_GROUP) == 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < batch->n_links; i++)
		if (!is_default || looks_marked(batch->links[i]->value))
			rc = mark(batch->links[i], arena, is_default ? TOKEN_GROUP : group);
	return rc;
}
