/* SPDX-License-Identifier: Apache-2.0 */
#include "server/ingest/link_group.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "server/access/token_record.h"

#define MARK " (group "

NO_LEAK_ANALYSIS

static int mark(Signal__Link *link, const char *group)
{
	char *marked;

	if (asprintf(&marked, "%s" MARK "%s)", link->value, group) < 0)
		return -ENOMEM;
	if (link->value != protobuf_c_empty_string)
		free(link->value);
	link->value = marked;
	return 0;
}

static bool looks_marked(const char *value)
{
	return strstr(value, MARK) && text_ends_with(value, ")");
}

int link_group_mark(Signal__Batch *batch, const char *group)
{
	bool is_default = !*group || strcmp(group, TOKEN_GROUP) == 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < batch->n_links; i++)
		if (!is_default || looks_marked(batch->links[i]->value))
			rc = mark(batch->links[i], is_default ? TOKEN_GROUP : group);
	return rc;
}
