/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fixture_sheet.h"

#define WORD "%63[^ ;]"

static int64_t hours(double at)
{
	return (int64_t)(at * (double)SHEET_NS_HOUR + (at < 0 ? -0.5 : 0.5));
}

static const char *none(const char *word)
{
	return strcmp(word, "-") == 0 ? "" : word;
}

static size_t host_of(const struct sheet *sheet, const char *id)
{
	size_t host = sheet_host(sheet, id);

	assert_int_not_equal(host, SIZE_MAX);
	return host;
}

static int say_host(struct sheet *sheet, const char *statement)
{
	static const uint32_t halves[COST_KINDS] = { 500000, 500000, 0 };
	char id[64];
	double cpus, gib;

	if (sscanf(statement, " host " WORD " %lf %lf", id, &cpus, &gib) != 3)
		return 1;
	return sheet_add_host(sheet,
			      &(struct sheet_host_facts){
				      .id = id,
				      .hostname = id,
				      .instance_type = *id == 'b' ? "large" : "small",
				      .cpus = cpus,
				      .memory_bytes = (uint64_t)(gib * (double)((uint64_t)1 << 30)),
				      .weight_ppm = halves,
			      });
}

static int say_price(struct sheet *sheet, const char *statement)
{
	char id[64];
	double since, until, usd;

	if (sscanf(statement, " price " WORD " %lf %lf", id, &since, &usd) == 3)
		return sheet_add_price(sheet, host_of(sheet, id), hours(since), usd, "list");
	if (sscanf(statement, " billed " WORD " %lf %lf %lf", id, &since, &until, &usd) == 4)
		return sheet_add_billed(sheet, host_of(sheet, id), hours(since), hours(until),
					(int64_t)(usd * 1e9 + 0.5), "bill");
	if (sscanf(statement, " up " WORD " %lf %lf", id, &since, &until) == 3)
		return sheet_add_up(sheet, host_of(sheet, id), hours(since), hours(until));
	return 1;
}

static int say_run(struct sheet *sheet, const char *statement)
{
	char id[64], pipeline[64], user[64], labels[64];

	if (sscanf(statement, " run " WORD " " WORD " " WORD " " WORD, id, pipeline, user,
		   labels) != 4)
		return 1;
	return sheet_add_run(sheet, &(struct sheet_run_facts){ .id = id,
							       .name = id,
							       .pipeline = none(pipeline),
							       .user = none(user),
							       .engine = "make",
							       .labels = none(labels) });
}

/* "HOURS:NAME,…" as lines "NANOSECONDS TAB NAME". */
static void write_tools(const char *text, char ret[256])
{
	double cpu;
	char name[64];
	int read;

	*ret = '\0';
	while (sscanf(text, "%lf:%63[^,]%n", &cpu, name, &read) == 2) {
		sprintf(ret + strlen(ret), "%s%lld\t%s", *ret ? "\n" : "", (long long)hours(cpu),
			name);
		text += read + (text[read] == ',');
	}
}

static int say_hold(struct sheet *sheet, const char *statement)
{
	char host[64], run[64], task[64], sample[62], tools[64] = "", lines[256];
	char container[64], pod[64];
	double since, until, cpus, gib, cpu_hours, used_gib, bytes = (double)((uint64_t)1 << 30);

	if (sscanf(statement,
		   " hold " WORD " " WORD " " WORD " %lf %lf %lf %lf / %lf %lf %61[^ ;] " WORD,
		   host, run, task, &since, &until, &cpus, &gib, &cpu_hours, &used_gib, sample,
		   tools) < 10)
		return 1;
	snprintf(container, sizeof(container), *none(sample) ? "c-%s" : "", sample);
	snprintf(pod, sizeof(pod), *none(sample) ? "p-%s" : "", sample);
	write_tools(tools, lines);
	assert_int_not_equal(sheet_run(sheet, run), SIZE_MAX);
	return sheet_add_hold(sheet, &(struct sheet_hold_facts){
					     .host = host_of(sheet, host),
					     .run = sheet_run(sheet, run),
					     .task = none(task),
					     .step = *none(task) ? "step" : "",
					     .name = none(task),
					     .sample = none(sample),
					     .container = container,
					     .pod = pod,
					     .tools = lines,
					     .since_at = hours(since),
					     .until_at = hours(until),
					     .cpu_ns = (uint64_t)hours(cpu_hours),
					     .cpus_requested = cpus,
					     .memory_bytes = (uint64_t)(used_gib * bytes),
					     .memory_requested_bytes = (uint64_t)(gib * bytes),
					     .input_bytes = *none(task) ? 1000 : -1,
				     });
}

void sheet_say(struct sheet *sheet, const char *statements)
{
	static int (*const says[])(struct sheet *, const char *) = { say_host, say_price, say_run,
								     say_hold };
	while (statements[strspn(statements, " ;")]) {
		int rc = 1;

		statements += strspn(statements, " ;");
		for (size_t i = 0; rc == 1 && i < sizeof(says) / sizeof(*says); i++)
			rc = says[i](sheet, statements);
		if (rc)
			fail_msg("%d: %.60s", rc, statements);
		statements += strcspn(statements, ";");
	}
}

struct sheet *sheet_of(double since, double until, enum sheet_bucket bucket, const char *statements)
{
	struct sheet *sheet = sheet_new(hours(since), hours(until), bucket);

	assert_non_null(sheet);
	sheet_say(sheet, statements);
	return sheet;
}

struct sheet *sheet_split_of(double since, double until, enum sheet_bucket bucket,
			     const char *statements)
{
	struct sheet *sheet = sheet_of(since, until, bucket, statements);

	assert_int_equal(sheet_split(sheet, COST_RULE_HELD), 0);
	return sheet;
}

static void add_positive(struct cost_part *sum, const struct cost_part *part)
{
	assert_true(part->used_nusd >= 0 && part->unused_nusd >= 0 && part->idle_nusd >= 0);
	cost_part_add(sum, part);
}

static void check_points(const struct sheet_choice *choice, const struct sheet_rows *rows)
{
	struct cost_part *sums = calloc(rows->count + 1, sizeof(*sums));
	int64_t unallocated = 0;

	for (size_t i = 0; i < rows->point_count; i++)
		if (rows->points[i].row == SIZE_MAX)
			unallocated += cost_part_sum(&rows->points[i].part);
		else
			add_positive(&sums[rows->points[i].row], &rows->points[i].part);
	for (size_t i = 0; choice->points && i < rows->count; i++)
		assert_memory_equal(&sums[i], &rows->items[i].part, sizeof(sums[i]));
	assert_int_equal(unallocated, choice->points ? rows->unallocated_nusd : 0);
	free(sums);
}

void sheet_check(const struct sheet *sheet, const struct sheet_choice *choice,
		 const struct sheet_rows *rows)
{
	enum sheet_level level = sheet_key_find(choice->by)->level;
	struct cost_part sum = { 0 };
	int64_t whole = 0, unallocated = 0;

	for (size_t i = 0; i < sheet->host_count; i++)
		if (!choice->host || strcmp(choice->host, sheet->hosts[i].id) == 0)
			whole += sheet->hosts[i].whole_nusd;
	for (size_t i = 0; i < rows->count; i++) {
		add_positive(&sum, &rows->items[i].part);
		assert_true(rows->items[i].unallocated_nusd >= 0);
		unallocated += rows->items[i].unallocated_nusd;
	}
	assert_memory_equal(&sum, &rows->part, sizeof(sum));
	check_points(choice, rows);
	if (sheet_is_partial(choice))
		return;
	assert_int_equal(rows->whole_nusd, whole);
	assert_int_equal(cost_part_sum(&sum) + rows->unallocated_nusd, whole);
	if (level == SHEET_OF_HOST || level == SHEET_OF_TIME)
		assert_int_equal(unallocated, rows->unallocated_nusd);
}

static const char *usd(int64_t nusd)
{
	static char texts[8][32];
	static unsigned at;

	snprintf(texts[++at % 8], sizeof(texts[0]), "%.15g", (double)nusd / 1e9);
	return texts[at % 8];
}

static void print_row(FILE *out, const struct sheet_row *row)
{
	fprintf(out, "%s %s %s %s", *row->key ? row->key : "-", usd(row->part.used_nusd),
		usd(row->part.unused_nusd), usd(row->part.idle_nusd));
	if (row->unallocated_nusd)
		fprintf(out, " unallocated %s", usd(row->unallocated_nusd));
	fprintf(out, " %zu/%zu/%zu %g%s\n", row->runs, row->tasks, row->samples,
		(double)row->cpu_ns / (double)SHEET_NS_HOUR, row->priced ? "" : " unpriced");
}

const char *sheet_print(const struct sheet *sheet, const struct sheet_choice *choice)
{
	static char text[1 << 16];
	struct sheet_rows rows;
	FILE *out = fmemopen(text, sizeof(text), "w");

	assert_int_equal(sheet_rows_make(sheet, choice, &rows), 0);
	assert_int_equal(sheet_rows_sort(&rows, choice->by), 0);
	sheet_check(sheet, choice, &rows);
	for (size_t i = 0; i < rows.count; i++)
		print_row(out, &rows.items[i]);
	for (size_t i = 0; i < rows.point_count; i++) {
		const struct sheet_point *point = &rows.points[i];

		fprintf(out, "at %g %s %s %s %s\n", (double)point->at / (double)SHEET_NS_HOUR,
			point->row == SIZE_MAX ? "unallocated" : rows.items[point->row].key,
			usd(point->part.used_nusd), usd(point->part.unused_nusd),
			usd(point->part.idle_nusd));
	}
	fputc('\0', out);
	fclose(out);
	sheet_rows_clear(&rows);
	return text;
}

const char *sheet_print_by(const struct sheet *sheet, const char *by)
{
	return sheet_print(sheet, &(struct sheet_choice){ .by = by });
}
