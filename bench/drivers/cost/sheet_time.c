/* SPDX-License-Identifier: Apache-2.0 */
#include "sheet_time.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "chance.h"
#include "cost/sheet_choice.h"
#include "cost/sheet_fill.h"
#include "cost/sheet_rows.h"

#define HOUR      (3600 * NS_PER_S)
#define RUNS      1000
#define PIPELINES 20
#define SAMPLES   500

static struct chance chance;

static uint64_t below(uint64_t limit)
{
	return chance_below(&chance, limit);
}

void sheet_must(int rc)
{
	if (rc == 0)
		return;
	fprintf(stderr, "sheet_driver: the sheet failed: %d\n", rc);
	exit(1);
}

static int64_t begin_of_month(void)
{
	return 1793491200 * NS_PER_S; /* 2026-11-01 */
}

static void add_hosts(struct sheet *sheet, size_t hosts)
{
	static const uint32_t weights[COST_KINDS] = { 600000, 400000, 0 };
	char id[32];
	for (size_t i = 0; i < hosts; i++) {
		snprintf(id, sizeof(id), "host-%zu", i);
		sheet_must(sheet_add_host(
			sheet, &(struct sheet_host_facts){ .id = id,
							   .hostname = id,
							   .instance_type = "m6i.16xlarge",
							   .cpus = 64,
							   .memory_bytes = UINT64_C(256) << 30,
							   .weight_ppm = weights }));
		for (int64_t at = 0; at < 720; at += 144)
			sheet_must(sheet_add_price(sheet, i, begin_of_month() + at * HOUR,
						   1 + (double)below(3000) / 1000, "list"));
		sheet_must(sheet_add_up(sheet, i, begin_of_month(), begin_of_month() + 720 * HOUR));
	}
}

static void add_runs(struct sheet *sheet)
{
	char id[32], pipeline[32];
	for (size_t i = 0; i < RUNS; i++) {
		snprintf(id, sizeof(id), "run-%zu", i);
		snprintf(pipeline, sizeof(pipeline), "pipeline-%zu", i % PIPELINES);
		sheet_must(sheet_add_run(sheet, &(struct sheet_run_facts){ .id = id,
									   .name = id,
									   .pipeline = pipeline,
									   .user = "ann",
									   .labels = "{}" }));
	}
}

/* A minute to two hours, most of them minutes. */
static void add_task(struct sheet *sheet, size_t number, size_t host)
{
	int64_t length = (int64_t)below(below(4) ? 900 : 7200) * NS_PER_S + NS_PER_S;
	int64_t since_at = begin_of_month() + (int64_t)below((uint64_t)(720 * HOUR - length));
	uint64_t cpus = 1 + below(16), ns = below(cpus * (uint64_t)length);
	char id[48], step[32], sample[32], tools[96];
	snprintf(id, sizeof(id), "0123456789abcdef-task-%zu", number);
	snprintf(step, sizeof(step), "step-%" PRIu64, below(30));
	snprintf(sample, sizeof(sample), "sample-%" PRIu64, below(SAMPLES));
	snprintf(tools, sizeof(tools), "%" PRIu64 "\tbwa\n%" PRIu64 "\tsamtools", ns / 3,
		 ns - ns / 3);
	sheet_must(sheet_add_hold(
		sheet, &(struct sheet_hold_facts){ .host = host,
						   .run = below(RUNS),
						   .task = id,
						   .step = step,
						   .name = id,
						   .sample = sample,
						   .container = "",
						   .pod = "",
						   .tools = tools,
						   .since_at = since_at,
						   .until_at = since_at + length,
						   .cpu_ns = ns,
						   .cpus_requested = (double)cpus,
						   .memory_bytes = below(UINT64_C(64) << 30),
						   .memory_requested_bytes = below(64) << 30,
						   .input_bytes = (int64_t)below(1000000) }));
}

static uint64_t time_rows(const struct sheet *sheet, const char *by)
{
	uint64_t begin = clock_process_cpu_ns();
	struct sheet_rows rows;
	sheet_must(sheet_rows_make(sheet, &(struct sheet_choice){ .by = by }, &rows));
	sheet_must(sheet_rows_sort(&rows, by));
	begin = clock_process_cpu_ns() - begin;
	if (cost_part_sum(&rows.part) + rows.unallocated_nusd != rows.whole_nusd)
		sheet_must(1);
	sheet_rows_clear(&rows);
	return begin;
}

void sheet_time(size_t tasks, size_t hosts, uint64_t seed, enum cost_rule rule)
{
	static const char *const keys[] = { "pipeline", "task", "tool" };
	CLEANUP(sheet_freep)
	struct sheet *sheet =
		sheet_new(begin_of_month(), begin_of_month() + 720 * HOUR, SHEET_WINDOW);
	uint64_t begin = clock_process_cpu_ns(), fill;
	chance.state = seed;
	sheet_must(!sheet);
	add_hosts(sheet, hosts);
	add_runs(sheet);
	for (size_t i = 0; i < tasks; i++)
		add_task(sheet, i, i * hosts / tasks);
	fill = clock_process_cpu_ns();
	sheet_must(sheet_split(sheet, rule));
	printf("%zu %zu %" PRIu64 " %" PRIu64, tasks, sheet->entry_count, fill - begin,
	       clock_process_cpu_ns() - fill);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		printf(" %" PRIu64, time_rows(sheet, keys[i]));
	puts("");
}
