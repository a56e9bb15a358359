/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report_dataflow.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/lake/client.h"
#include "cli/terminal/print.h"
#include "cli/terminal/times.h"

#define SHOWN       20
#define NAMED       3    /* classes of wall time in the sentence */
#define NAMED_LEAST 0.01 /* of the running time */
#define DOUBT_LEAST 0.02 /* as on pages (docs/signal.md, As a bar) */

static const struct column columns[] = {
	{ "name", "CRITICAL PATH", FORMAT_TEXT, 44 }, { "waited_s", "WAITED", FORMAT_SECONDS, 0 },
	{ "running_s", "RAN", FORMAT_SECONDS, 0 },    { "share", "OF THE RUN", FORMAT_TEXT, 0 },
	{ "", "WHERE IT WENT", FORMAT_BAR, 0 },       { "", "WAITS MOSTLY ON", FORMAT_WAIT, 0 },
	{ "file", "FED BY", FORMAT_TEXT, 40 },
};

static double seconds(const json_t *row, const char *key)
{
	return json_number_value(json_object_get(row, key));
}

static double time_of(const json_t *link)
{
	return seconds(link, "waiting_s") + seconds(link, "running_s");
}

static int by_time(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a < b) - (a > b);
}

/* Which links are shown: all that took longer than least_s, and `ties` of those that took least_s.
 */
struct shown {
	double least_s;
	size_t ties;
};

static struct shown choose(const json_t *links)
{
	size_t count = json_array_size(links), i;
	CLEANUP(freep) double *times = calloc(count ? count : 1, sizeof(*times));
	struct shown shown = { .ties = SHOWN };
	const json_t *link;

	if (!times || count <= SHOWN)
		return shown;
	json_array_foreach(links, i, link) times[i] = time_of(link);
	qsort(times, count, sizeof(*times), by_time);
	shown.least_s = times[SHOWN - 1];
	for (i = 0; times[i] > shown.least_s; i++)
		shown.ties--;
	return shown;
}

static bool take_link(struct shown *shown, const json_t *link)
{
	double time_s = time_of(link);

	if (time_s > shown->least_s)
		return true;
	if (time_s < shown->least_s || shown->ties == 0)
		return false;
	shown->ties--;
	return true;
}

static void set_share(json_t *row, double part, double total)
{
	char text[32];

	snprintf(text, sizeof(text), "%.0f %%", total > 0 ? 100 * part / total : 0);
	json_object_set_new(row, "share", json_string(text));
}

/* The row of the table. The first link waited for no known task: it has no waiting time. */
static json_t *row_of(const json_t *link, double wall_s)
{
	json_t *row = json_copy((json_t *)link);
	const char *path = json_string_value(json_object_get(link, "path"));

	if (json_is_string(json_object_get(link, "ready_at")))
		json_object_set(row, "waited_s", json_object_get(link, "waiting_s"));
	if (path)
		json_object_set_new(row, "file", json_string(text_basename(path)));
	set_share(row, time_of(link), wall_s);
	return row;
}

static void print_seconds(FILE *out, double time_s, const char *behind)
{
	char text[48];

	fprintf(out, "%s%s", text_duration((uint64_t)(time_s * NS_PER_S), text, sizeof(text)),
		behind);
}

/* Whether it is one of the largest classes, and not too small to be named. */
static bool is_named(const struct times *times, int class)
{
	double share = times_share(times, class);
	int before = 0;

	for (int i = TIME_WALL; i < TIME_STATE_COUNT; i++)
		before += times_share(times, i) > share ||
			  (i < class && times_share(times, i) == share);
	return before < NAMED && share >= NAMED_LEAST;
}

/* " (computing 45 %, waiting for a free CPU 54 %)" */
static void print_classes(FILE *out, const struct times *times)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };

	buffer_init(&text, 0);
	for (int i = TIME_WALL; times->wall && i < TIME_STATE_COUNT; i++) {
		if (!is_named(times, i))
			continue;
		buffer_printf(&text, "%s%s ", text.len ? ", " : " (", times_name(i));
		times_percent(&text, times_share(times, i));
	}
	if (text.len && !text.failed)
		fprintf(out, "%s)", text.data);
}

/* What may be in a wrong class. */
static void print_doubt(FILE *out, const json_t *path, const struct times *times)
{
	double assumed_ns = seconds(path, "wall_assumed_ns");

	if (!times->wall || assumed_ns <= DOUBT_LEAST * times_shown_ns(times))
		return;
	fprintf(out, "Up to ");
	print_seconds(out, assumed_ns / NS_PER_S,
		      " of the running time may be in a wrong class.\n");
}

static void print_sums(FILE *out, const json_t *path)
{
	struct times times = { 0 };

	times_add(&times, path);
	fprintf(out, "\nAlong the critical path ");
	print_seconds(out, seconds(path, "running_s"), " running");
	print_classes(out, &times);
	fprintf(out, " + ");
	print_seconds(out, seconds(path, "waiting_s"), " waiting with the input there + ");
	print_seconds(out, seconds(path, "before_s"), " before it + ");
	print_seconds(out, seconds(path, "after_s"), " after it = ");
	print_seconds(out, seconds(path, "wall_s"), ", the run.\n");
	print_doubt(out, path, &times);
}

static void print_rest(FILE *out, size_t count, double time_s)
{
	fprintf(out, "and %zu more, ", count);
	print_seconds(out, time_s, " together (--json has them)\n");
}

int report_dataflow_fetch(const struct common *common, const char *id, json_t *document,
			  struct error *err)
{
	json_t *dataflow CLEANUP(json_decrefp) = NULL;
	struct buffer path CLEANUP(buffer_clear) = { 0 };
	int status;

	buffer_init(&path, 4096);
	buffer_printf(&path, "/runs/%s/dataflow", id);
	status = client_get(common, path.data, &dataflow, err);
	if (status == 0)
		json_object_set(document, "dataflow", dataflow);
	return status;
}

void report_dataflow(FILE *out, const json_t *dataflow)
{
	const json_t *path = json_object_get(dataflow, "critical_path"), *link;
	const json_t *links = json_object_get(path, "links");
	json_t *rows CLEANUP(json_decrefp) = json_array();
	struct shown shown = choose(links);
	double rest_s = 0;
	size_t i;

	if (json_array_size(links) < 2)
		return;
	json_array_foreach(links, i, link)
	{
		if (take_link(&shown, link))
			json_array_append_new(rows, row_of(link, seconds(path, "wall_s")));
		else
			rest_s += time_of(link);
	}
	print_sums(out, path);
	print_table(out, rows, columns, sizeof(columns) / sizeof(*columns));
	if (json_array_size(rows) < json_array_size(links))
		print_rest(out, json_array_size(links) - json_array_size(rows), rest_s);
	if (json_is_false(json_object_get(dataflow, "complete")))
		fprintf(out, "(too many tasks and files: the earliest are left out)\n");
}
