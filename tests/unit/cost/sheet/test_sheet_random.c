/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cost/policy/policy.h"
#include "fixture_sheet.h"

/* Properties of sheets that hold for any input; the fixture checks the sums of rows and points. */
#define CASES 600
#define MOST  24 /* statements of a kind */

static uint64_t state_of_random;

static unsigned below(unsigned limit) /* splitmix64, public domain */
{
	uint64_t value = state_of_random += 0x9e3779b97f4a7c15;

	value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
	value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
	return (unsigned)((value ^ (value >> 31)) % limit);
}

/* What a case is made of: hosts, runs and what follows in any order, but that prices of one host
 * are in one text. */
struct world {
	char hosts[4][64], runs[4][96], prices[4][192], facts[2 * MOST][192];
	unsigned host_count, run_count, fact_count;
};

/* Often at a quarter, or seconds beside it, so that begins and ends meet, or nearly. */
static double moment(unsigned hours)
{
	double at = (double)below(hours * 4 + 8) / 4 - 1;

	return below(3) ? at + 0.005 * ((double)below(3) - 1) : at + (double)below(7200) / 3600 - 1;
}

static void make_prices(struct world *world, unsigned host)
{
	char *text = world->prices[host];
	double at = -1;

	for (unsigned i = below(4); i; i--) {
		text += sprintf(text, "price %c%u %g %g;", "ab"[host % 2], host, at,
				below(3) ? (double)below(7000) / 999 : 0);
		at += 0.25 * (1 + below(30));
	}
	at = below(6);
	for (unsigned i = below(3); i; i--) {
		text += sprintf(text, "billed %c%u %g %g %g;", "ab"[host % 2], host, at, at + 1,
				(double)below(5000) / 777);
		at += 1 + below(3);
	}
}

static void make_hold(char *text, const struct world *world, unsigned number, unsigned hours)
{
	unsigned host = below(world->host_count);
	double since = moment(hours),
	       until = below(12) ? since + (double)below(20) / 4 : moment(24);
	char task[16] = "-";

	if (below(3))
		snprintf(task, sizeof(task), "t%u", number);
	if (below(5) == 0) /* waits */
		until = since;
	sprintf(text, "hold %c%u r%u %s %.9g %.9g %u %u / %g %g ", "ab"[host % 2], host,
		below(world->run_count), task, since, until, below(5), below(9),
		(double)below(400) / 37, (double)below(90) / 11);
	text += strlen(text);
	text += sprintf(text, *task != '-' && below(3) ? "s%u" : "-", below(4));
	for (unsigned i = below(4), first = 1; i; i--, first = 0)
		text += sprintf(text, "%s%g:tool%u", first ? " " : ",", (double)below(30) / 7,
				below(5));
}

static void make_world(struct world *world, uint64_t seed, unsigned hours)
{
	state_of_random = seed;
	*world = (struct world){ .host_count = 1 + below(4), .run_count = 1 + below(4) };
	for (unsigned i = 0; i < world->host_count; i++) {
		sprintf(world->hosts[i], "host %c%u %u %u;", "ab"[i % 2], i, below(5), below(9));
		make_prices(world, i);
	}
	for (unsigned i = 0; i < world->run_count; i++)
		sprintf(world->runs[i], "run r%u P%u u%u {\"k\":\"v%u\"};", i, below(3), below(2),
			below(2));
	for (unsigned i = below(MOST); i; i--) {
		unsigned host = below(world->host_count);
		double since = moment(hours);

		sprintf(world->facts[world->fact_count++], "up %c%u %.9g %.9g", "ab"[host % 2],
			host, since, since + (below(3) ? below(12) / 4.0 : below(5000) / 1000.0));
	}
	for (unsigned i = below(MOST); i; i--, world->fact_count++)
		make_hold(world->facts[world->fact_count], world, i, hours);
}

static void shuffle(unsigned *places, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		unsigned j = below(i + 1);

		places[i] = places[j];
		places[j] = i;
	}
}

static struct sheet *sheet_of_world(const struct world *world, double since, double until,
				    enum sheet_bucket bucket, bool mixed)
{
	unsigned hosts[4] = { 0, 1, 2, 3 }, runs[4] = { 0, 1, 2, 3 }, facts[2 * MOST];
	struct sheet *sheet = sheet_of(since, until, bucket, "");

	for (unsigned i = 0; i < world->fact_count; i++)
		facts[i] = i;
	if (mixed) {
		shuffle(hosts, world->host_count);
		shuffle(runs, world->run_count);
		shuffle(facts, world->fact_count);
	}
	for (unsigned i = 0; i < world->run_count; i++)
		sheet_say(sheet, world->runs[runs[i]]);
	for (unsigned i = 0; i < world->host_count; i++)
		sheet_say(sheet, world->hosts[hosts[i]]);
	for (unsigned i = 0; i < world->host_count; i++)
		sheet_say(sheet, world->prices[hosts[i]]);
	for (unsigned i = 0; i < world->fact_count; i++)
		sheet_say(sheet, world->facts[facts[i]]);
	assert_int_equal(sheet_split(sheet, world->fact_count % 2 ? COST_RULE_AWS : COST_RULE_HELD),
			 0);
	return sheet;
}

static const char *const KEYS[] = { "pipeline", "run",  "step",  "task",       "tool",
				    "sample",   "user", "host",  "instance",   "container",
				    "pod",      "day",  "label", "cost_centre" };
#define KEY_COUNT (sizeof(KEYS) / sizeof(KEYS[0]))

/* Of all rows by a key, which is asserted to be all CPU time of tasks but by tool. */
static uint64_t check_cpu(const struct sheet *sheet, const struct sheet_choice *choice)
{
	struct sheet_rows rows;
	uint64_t cpu = 0;

	assert_int_equal(sheet_rows_make(sheet, choice, &rows), 0);
	for (size_t i = 0; i < rows.count; i++)
		cpu += rows.items[i].cpu_ns;
	sheet_rows_clear(&rows);
	return cpu;
}

static void rows_by_any_key_add_up_to_the_whole(void **state)
{
	static struct world world;

	(void)state;
	for (uint64_t seed = 0; seed < CASES; seed++) {
		struct sheet *sheet;
		uint64_t cpu = 0;

		make_world(&world, seed, 30);
		sheet = sheet_of_world(&world, 0, 30, (enum sheet_bucket)(seed % 3), false);
		for (size_t i = 0; i < sheet->task_count; i++)
			cpu += sheet->tasks[i].cpu_ns;
		for (size_t i = 0; i < KEY_COUNT; i++) {
			struct sheet_choice choice = { .by = KEYS[i],
						       .label = "k",
						       .points = true };

			sheet_print(sheet, &choice);
			if (strcmp(KEYS[i], "tool") != 0)
				assert_int_equal(check_cpu(sheet, &choice), cpu);
		}
		sheet_free(sheet);
	}
}

static void order_of_the_input_changes_no_row(void **state)
{
	static struct world world;

	(void)state;
	for (uint64_t seed = 0; seed < CASES; seed++) {
		struct sheet *sheet, *other;

		make_world(&world, seed, 30);
		sheet = sheet_of_world(&world, 0, 30, (enum sheet_bucket)(seed % 3), false);
		other = sheet_of_world(&world, 0, 30, (enum sheet_bucket)(seed % 3), true);
		for (size_t i = 0; i < KEY_COUNT; i++) {
			struct sheet_choice choice = { .by = KEYS[i],
						       .label = "k",
						       .points = true };
			char *text = strdup(sheet_print(sheet, &choice));

			assert_string_equal(sheet_print(other, &choice), text);
			free(text);
		}
		sheet_free(sheet);
		sheet_free(other);
	}
}

struct total {
	struct cost_part part;
	uint64_t cpu_ns;
	int64_t unallocated_nusd;
	size_t rows, tasks;
};

static void add(struct total *total, const struct sheet *sheet, const struct sheet_choice *choice)
{
	struct sheet_rows rows;

	assert_int_equal(sheet_rows_make(sheet, choice, &rows), 0);
	sheet_check(sheet, choice, &rows);
	cost_part_add(&total->part, &rows.part);
	total->unallocated_nusd += rows.unallocated_nusd;
	total->rows += rows.count;
	for (size_t i = 0; i < rows.count; i++) {
		total->cpu_ns += rows.items[i].cpu_ns;
		total->tasks += rows.items[i].tasks;
	}
	sheet_rows_clear(&rows);
}

/* Each hour or day asked for alone, the buckets of one sheet, and the time as a whole. */
static void hours_and_days_add_up_to_the_window(void **state)
{
	static struct world world;

	(void)state;
	for (uint64_t seed = 0; seed < CASES / 6; seed++) {
		static const unsigned lengths[] = { 1, 24, 7 };
		struct total whole = { { 0 }, 0, 0, 0, 0 };
		struct sheet_choice choice = { .by = KEYS[seed % KEY_COUNT], .label = "k" };
		struct sheet *sheet;

		if (strcmp(choice.by, "tool") == 0)
			continue;
		make_world(&world, seed, 48);
		sheet = sheet_of_world(&world, 0, 48, SHEET_WINDOW, false);
		add(&whole, sheet, &choice);
		sheet_free(sheet);
		for (size_t i = 0; i < 3; i++) {
			struct total sum = { { 0 }, 0, 0, whole.rows, whole.tasks };

			for (unsigned at = 0; at < 48; at += lengths[i]) {
				unsigned until = at + lengths[i] < 48 ? at + lengths[i] : 48;

				sheet = sheet_of_world(&world, at, until, SHEET_HOUR, true);
				add(&sum, sheet, &choice);
				sheet_free(sheet);
			}
			sum.rows = whole.rows;
			sum.tasks = whole.tasks;
			assert_memory_equal(&sum, &whole, sizeof(sum));
		}
	}
}

/* All of a level, each chosen alone, are all rows. */
static void filters_part_the_rows(void **state)
{
	static struct world world;

	(void)state;
	for (uint64_t seed = 0; seed < CASES; seed++) {
		struct total whole = { { 0 }, 0, 0, 0, 0 }, sums[3];
		struct sheet_choice all = { .by = "task" };
		struct sheet *sheet;

		make_world(&world, seed, 30);
		sheet = sheet_of_world(&world, 0, 30, SHEET_DAY, false);
		memset(sums, 0, sizeof(sums));
		add(&whole, sheet, &all);
		for (unsigned i = 0; i < 4; i++) {
			char pipeline[8], host[8];
			struct sheet_choice choices[] = {
				{ .by = "task", .pipeline = pipeline },
				{ .by = "task", .host = host },
				{ .by = "task", .label_key = "k", .label_value = i ? "v0" : "v1" },
			};

			sprintf(pipeline, "P%u", i);
			sprintf(host, "%c%u", "ab"[i % 2], i);
			add(&sums[0], sheet, &choices[0]);
			add(&sums[1], sheet, &choices[1]);
			if (i < 2)
				add(&sums[2], sheet, &choices[2]);
		}
		for (size_t i = 0; i < 3; i++) {
			assert_memory_equal(&sums[i].part, &whole.part, sizeof(whole.part));
			assert_int_equal(sums[i].cpu_ns, whole.cpu_ns);
			assert_int_equal(sums[i].tasks, whole.tasks);
		}
		assert_int_equal(sums[1].unallocated_nusd, whole.unallocated_nusd);
		sheet_free(sheet);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_by_any_key_add_up_to_the_whole),
		cmocka_unit_test(order_of_the_input_changes_no_row),
		cmocka_unit_test(hours_and_days_add_up_to_the_window),
		cmocka_unit_test(filters_part_the_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
