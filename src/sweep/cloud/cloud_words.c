/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/cloud/cloud_words.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "sweep/shell_quote.h"

char *cloud_copy(const char *text)
{
	return text && *text ? strdup(text) : NULL;
}

char *cloud_name(const char *name, const char *id)
{
	char *text = NULL;

	if (!*name || strcmp(name, id) == 0)
		return strdup(id);
	return asprintf(&text, "%s (%s)", name, id) < 0 ? NULL : text;
}

bool cloud_is_exempted(const struct waste_finder *finder, const struct sweep_input *input,
		       const char *name, const char *owner, const char *tags)
{
	return sweep_policy_exempts(input->policy, &(struct sweep_concerns){
							   .kind = finder->name,
							   .user = *owner ? owner : NULL,
							   .hostname = *name ? name : NULL,
							   .tags = tags,
						   });
}

static int by_price(const void *a, const void *b)
{
	const struct cloud_found *one = a, *other = b;

	if (one->nusd_hour != other->nusd_hour)
		return one->nusd_hour < other->nusd_hour ? 1 : -1;
	return strcmp(one->id, other->id);
}

size_t cloud_most_expensive(struct cloud_found *found, size_t count)
{
	if (count > 0)
		qsort(found, count, sizeof(*found), by_price);
	return count < CLOUD_FOUND_MAX ? count : CLOUD_FOUND_MAX;
}

char *cloud_command(const char *const *parts)
{
	CLEANUP(buffer_clear) struct buffer text = { 0 };

	buffer_init(&text, 0);
	for (size_t i = 0; parts[i]; i++) {
		if (i % 2 == 0)
			buffer_append_text(&text, parts[i]);
		else
			shell_name(&text, parts[i]);
	}
	return buffer_take(&text);
}
