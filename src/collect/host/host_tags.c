/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/host/host_tags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "signal/redact/redact.h"

#define PAIR_SIZE (CLOUD_TAG_KEY + 1 + CLOUD_TAG_VALUE + 1)

/* Masked as an argument KEY=VALUE. NULL: no memory. */
static char *masked(const struct cloud_tag *tag)
{
	struct buffer out CLEANUP(buffer_clear) = { 0 };
	char pair[PAIR_SIZE];
	const char *const args[] = { pair };
	size_t key = strlen(tag->key) + 1;

	(void)snprintf(pair, sizeof(pair), "%s=%s", tag->key, tag->value);
	buffer_init(&out, 0);
	redact_argv(args, 1, &out);
	if (out.failed)
		return NULL;
	return strdup(strncmp(out.data, pair, key) == 0 ? out.data + key : REDACT_MASK);
}

void host_tags_take(struct host_tags *tags, const struct cloud_machine *machine)
{
	host_tags_clear(tags);
	for (size_t i = 0; i < machine->tag_count; i++) {
		Signal__Label *label = &tags->labels[tags->count];

		signal__label__init(label);
		label->key = strdup(machine->tags[i].key);
		label->value = masked(&machine->tags[i]);
		if (label->key && label->value) {
			tags->list[tags->count++] = label;
			continue;
		}
		free(label->key);
		free(label->value);
	}
}

void host_tags_clear(struct host_tags *tags)
{
	for (size_t i = 0; i < tags->count; i++) {
		free(tags->labels[i].key);
		free(tags->labels[i].value);
	}
	tags->count = 0;
}
