/* SPDX-License-Identifier: Apache-2.0 */
#include "server/billing/sheet_rates.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cost/sheet_fill.h"
#include "server/query/query.h"

struct instance {
	const char *id;
	size_t host;
};

static int by_id(const void *a_, const void *b_)
{
	const struct instance *a = a_, *b = b_;

	return strcmp(a->id, b->id);
}

/* The hosts that a bill may name, by the id of their instance. */
static struct instance *list_instances(const struct sheet *sheet, size_t *ret_count)
{
	struct instance *instances = calloc(sheet->host_count + 1, sizeof(*instances));

	*ret_count = 0;
	for (size_t i = 0; instances && i < sheet->host_count; i++)
		if (*sheet->hosts[i].instance_id)
			instances[(*ret_count)++] =
				(struct instance){ sheet->hosts[i].instance_id, i };
	if (instances)
		qsort(instances, *ret_count, sizeof(*instances), by_id);
	return instances;
}

static int add_rate(struct sheet *sheet, const struct store_rows *rows,
		    const struct instance *instances, size_t count)
{
	const struct instance key = { row_text(rows, "instance_id"), 0 };
	const struct instance *found = bsearch(&key, instances, count, sizeof(key), by_id);
	int64_t hour_at = row_i64(rows, "hour_at");
	char source[300];

	if (!found)
		return 0;
	snprintf(source, sizeof(source), "bill %.280s", row_text(rows, "bill"));
	return sheet_add_billed(sheet, found->host, hour_at, hour_at + 3600 * NS_PER_S,
				row_i64(rows, "effective_nusd_hour"), source);
}

/* What the bill says of each hour of an instance, some days at a time: for the bound of memory of
 * an answer (rows.h). */
#define RATES_NS (7 * 86400 * NS_PER_S)

static int read_between(struct server *server, struct sheet *sheet, int64_t since_at,
			int64_t until_at, const struct instance *instances, size_t count,
			struct error *err)
{
	const struct store_param window[] = { PARAM_TIME("since_at", since_at),
					      PARAM_TIME("until_at", until_at) };
	CLEANUP(store_rows_freep) struct store_rows *rows = NULL;
	int rc = QUERY(server, "billed_rates", window, &rows, err);

	while (rc == 0 && store_next(rows))
		rc = add_rate(sheet, rows, instances, count);
	return rc;
}

int sheet_read_rates(struct server *server, struct sheet *sheet, struct error *err)
{
	size_t count;
	CLEANUP(freep) struct instance *instances = list_instances(sheet, &count);
	int rc = instances ? 0 : -ENOMEM;

	if (!count)
		return rc;
	for (int64_t at = sheet->since_at; rc == 0 && at < sheet->until_at; at += RATES_NS)
		rc = read_between(server, sheet, at,
				  at + RATES_NS < sheet->until_at ? at + RATES_NS : sheet->until_at,
				  instances, count, err);
	return rc;
}
