/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/waste/waste_hosts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/lake/row.h"
#include "cli/terminal/print.h"

struct ranked {
	const json_t *host;
	double idle_usd; /* < 0: unknown */
};

static struct ranked rank(const json_t *host)
{
	const json_t *usd = json_object_get(host, "idle_usd");

	return (struct ranked){ host, json_is_number(usd) ? json_number_value(usd) : -1 };
}

static int by_idle_usd(const void *one_, const void *other_)
{
	const struct ranked *one = one_, *other = other_;

	if (one->idle_usd != other->idle_usd)
		return one->idle_usd < other->idle_usd ? 1 : -1;
	return strcmp(row_text(one->host, "hostname"), row_text(other->host, "hostname"));
}

/* The most expensive ones; NULL: no memory. */
static json_t *first_hosts(const json_t *hosts, size_t most)
{
	size_t count = json_array_size(hosts);
	struct ranked *sorted = calloc(count + 1, sizeof(*sorted));
	json_t *first = sorted ? json_array() : NULL;

	for (size_t i = 0; first && i < count; i++)
		sorted[i] = rank(json_array_get(hosts, i));
	if (first)
		qsort(sorted, count, sizeof(*sorted), by_idle_usd);
	for (size_t i = 0; first && i < count && i < most; i++)
		json_array_append(first, (json_t *)(uintptr_t)sorted[i].host);
	free(sorted);
	return first;
}

void waste_hosts_print(FILE *out, const json_t *document, size_t most)
{
	static const struct column COLUMNS[] = {
		{ "hostname", "HOST", FORMAT_TEXT, 32 },
		{ "instance_type", "TYPE", FORMAT_TEXT, 0 },
		{ "up_s", "UP", FORMAT_SECONDS, 0 },
		{ "tracked_s", "IN USE", FORMAT_SECONDS, 0 },
		{ "idle_s", "NOT IN USE", FORMAT_SECONDS, 0 },
		{ "idle_usd", "COST OF THAT", FORMAT_USD, 0 },
	};
	const json_t *hosts = json_object_get(document, "hosts");
	json_t *first CLEANUP(json_decrefp) = first_hosts(hosts, most);
	size_t count = json_array_size(hosts);

	if (count == 0 || !first)
		return;
	fprintf(out, "\nHosts, in use where tracked work ran%s:\n",
		count > most ? ", those with the most expensive rest" : "");
	print_table(out, first, COLUMNS, sizeof(COLUMNS) / sizeof(COLUMNS[0]));
	if (count > most)
		fprintf(out, "… and %zu more (--all)\n", count - most);
}
