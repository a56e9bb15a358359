/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/filter.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "server/http/percent.h"

static int read_number(const struct filter *filter, struct filter_value *value, struct error *err)
{
	char *end;

	errno = 0;
	value->number = strtoll(value->text, &end, 10);
	if (errno || end == value->text || *end || value->number < filter->min ||
	    value->number > filter->max)
		return error_set(err, -EINVAL,
				 "%s must be a whole number from %" PRId64 " to %" PRId64,
				 filter->name, filter->min, filter->max);
	return 0;
}

static int read_choice(const struct filter *filter, struct filter_value *value, struct error *err)
{
	struct error words = { "" };
	size_t used = 0;

	for (size_t i = 0; filter->choices[i]; i++) {
		if (strcmp(filter->choices[i], value->text) == 0) {
			value->number = (int64_t)i;
			return 0;
		}
		if (used < sizeof(words.text))
			used += (size_t)snprintf(words.text + used, sizeof(words.text) - used,
						 " %s", filter->choices[i]);
	}
	return error_set(err, -EINVAL, "%s must be one of:%s", filter->name, words.text);
}

/* The store's cursors are "RANK ID" (src/lake/store/storage_engine.h); what is not shaped
 * so it would take for the end of all pages. */
static int read_cursor(const struct filter *filter, const struct filter_value *value,
		       struct error *err)
{
	const char *rank = value->text + (value->text[0] == '-');
	size_t digits = strspn(rank, "0123456789");

	if (digits < 1 || digits > 19 || rank[digits] != ' ' || !rank[digits + 1])
		return error_set(err, -EINVAL,
				 "%s is not one that this server gave: use the `next` of the page "
				 "before, unchanged",
				 filter->name);
	return 0;
}

static int read_value(const struct filter *filter, struct filter_value *value, struct error *err)
{
	switch (filter->kind) {
	case FILTER_NUMBER:
		return read_number(filter, value, err);
	case FILTER_CHOICE:
		return read_choice(filter, value, err);
	case FILTER_CURSOR:
		return read_cursor(filter, value, err);
	case FILTER_TEXT:
		break;
	}
	return 0;
}

void filters_default(const struct filter *filters, struct filter_value values[FILTERS_MAX])
{
	memset(values, 0, FILTERS_MAX * sizeof(*values));
	for (size_t i = 0; filters[i].name; i++) {
		if (!filters[i].fallback)
			continue;
		values[i].given = true;
		snprintf(values[i].text, sizeof(values[i].text), "%s", filters[i].fallback);
		read_value(&filters[i], &values[i], NULL);
	}
}

static int unknown(const struct filter *filters, const char *name, struct error *err)
{
	const char *names[FILTERS_MAX] = { NULL };
	const char *nearest;
	size_t count = 0;

	while (filters[count].name) {
		names[count] = filters[count].name;
		count++;
	}
	nearest = text_nearest(name, names, count);
	return error_set(err, -EINVAL, "there is no parameter \"%s\" here%s%s%s", name,
			 nearest ? "; did you mean " : "", nearest ? nearest : "",
			 nearest ? "?" : "");
}

/* One NAME=VALUE of the query. `seen` has a bit a filter. */
static int read_pair(const struct filter *filters, const char *pair, size_t len,
		     struct filter_value *values, unsigned *seen, struct error *err)
{
	const char *equals = memchr(pair, '=', len);
	size_t name_len = equals ? (size_t)(equals - pair) : len;
	char name[64];
	size_t i = 0;

	if (percent_decode(pair, name_len, true, name, sizeof(name)))
		return error_set(err, -EINVAL, "a parameter's name is too long or badly encoded");
	while (filters[i].name && strcmp(filters[i].name, name) != 0)
		i++;
	if (!filters[i].name)
		return unknown(filters, name, err);
	if (*seen & 1u << i)
		return error_set(err, -EINVAL, "%s is given twice", name);
	*seen |= 1u << i;
	if (!equals || name_len + 1 == len)
		return error_set(err, -EINVAL, "%s has no value", name);
	if (percent_decode(equals + 1, len - name_len - 1, true, values[i].text,
			   sizeof(values[i].text)))
		return error_set(err, -EINVAL,
				 "%s must be at most %d bytes of percent-encoded UTF-8 without "
				 "control characters",
				 name, FILTER_TEXT_MAX);
	values[i].given = true;
	return read_value(&filters[i], &values[i], err);
}

int filters_read(const struct filter *filters, const char *query,
		 struct filter_value values[FILTERS_MAX], struct error *err)
{
	unsigned seen = 0;

	filters_default(filters, values);
	while (query && *query) {
		size_t len = strcspn(query, "&");
		int rc = len ? read_pair(filters, query, len, values, &seen, err) : 0;

		if (rc)
			return rc;
		query += len;
		query += *query == '&';
	}
	return 0;
}
