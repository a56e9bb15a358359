/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The split of prices (src/cost/split.h), for bench/cost.sh. Standard input, a statement a line,
 * all numbers whole, in the units of split.h:
 *
 *     host CPUS MEMORY GPUS CPU_PPM MEMORY_PPM GPU_PPM     begins a host
 *     up SINCE UNTIL NUSD_HOUR
 *     hold SINCE UNTIL KEY RESERVED×3 USED×3 HELD×3
 *     split held|aws     prints "part SINCE UNTIL HOLD USED UNUSED IDLE" for each hold and cell,
 *                        "cell SINCE UNTIL WHOLE UNALLOCATED", and "done"
 *     share WHOLE WEIGHT…     prints "shares PART…", as cost/share_out.h
 *
 * split_driver time TASKS HOSTS SEED RULE     splits a month of so many tasks and prints the CPU
 * time of the splits alone: "tasks parts cells nanoseconds"
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "chance.h"
#include "cost/share_out.h"
#include "cost/split.h"

#define HOLDS_MOST     2000000
#define STRETCHES_MOST 100000
#define SHARES_MOST    4096
#define HOUR           (3600 * NS_PER_S)

static struct cost_host host;
static struct cost_stretch stretches[STRETCHES_MOST];
static struct cost_hold holds[HOLDS_MOST];
static size_t stretch_count, hold_count;

static void fail(const char *what)
{
	fprintf(stderr, "split_driver: %s\n", what);
	exit(1);
}

static enum cost_rule rule_of(const char *word)
{
	return strncmp(word, "aws", 3) == 0 ? COST_RULE_AWS : COST_RULE_HELD;
}

static int print_part(void *context, const struct cost_cell *cell, size_t hold,
		      const struct cost_part *part)
{
	(void)context;
	printf("part %" PRId64 " %" PRId64 " %zu %" PRId64 " %" PRId64 " %" PRId64 "\n",
	       cell->since_at, cell->until_at, hold, part->used_nusd, part->unused_nusd,
	       part->idle_nusd);
	return 0;
}

static int print_cell(void *context, const struct cost_cell *cell)
{
	(void)context;
	printf("cell %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", cell->since_at,
	       cell->until_at, cell->whole_nusd, cell->unallocated_nusd);
	return 0;
}

static void split(const struct cost_sink *sink, enum cost_rule rule)
{
	if (cost_split(&host, stretches, stretch_count, holds, hold_count, rule, sink) != 0)
		fail("the split failed");
}

static const char *numbers(const char *text, uint64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *end = NULL;
		errno = 0;
		values[i] = *text == ' ' && strchr(text, '-') ? (uint64_t)strtoll(text, &end, 10)
							      : strtoull(text, &end, 10);
		if (end == text || errno != 0)
			fail("a number is missing");
		text = end;
	}
	return text;
}

static void take_host(const char *text)
{
	uint64_t values[2 * COST_KINDS];
	numbers(text, values, 2 * COST_KINDS);
	for (size_t kind = 0; kind < COST_KINDS; kind++) {
		host.capacity[kind] = values[kind];
		host.weight_ppm[kind] = (uint32_t)values[COST_KINDS + kind];
	}
	stretch_count = hold_count = 0;
}

static void take_up(const char *text)
{
	uint64_t values[3];
	numbers(text, values, 3);
	if (stretch_count == STRETCHES_MOST)
		fail("too many stretches");
	stretches[stretch_count++] =
		(struct cost_stretch){ (int64_t)values[0], (int64_t)values[1], (int64_t)values[2] };
}

static void take_hold(const char *text)
{
	uint64_t values[3 + 3 * COST_KINDS];
	numbers(text, values, 3 + 3 * COST_KINDS);
	if (hold_count == HOLDS_MOST)
		fail("too many holds");
	struct cost_hold *hold = &holds[hold_count++];
	*hold = (struct cost_hold){ .since_at = (int64_t)values[0],
				    .until_at = (int64_t)values[1],
				    .key = values[2] };
	memcpy(hold->reserved, values + 3, sizeof(hold->reserved));
	memcpy(hold->used, values + 3 + COST_KINDS, sizeof(hold->used));
	memcpy(hold->held, values + 3 + 2 * COST_KINDS, sizeof(hold->held));
}

static void take_split(const char *text)
{
	const struct cost_sink sink = { print_part, print_cell, NULL };
	split(&sink, rule_of(text + strspn(text, " ")));
	puts("done");
	fflush(stdout);
}

static void take_share(const char *text)
{
	static unsigned __int128 weights[SHARES_MOST];
	static int64_t parts[SHARES_MOST];
	uint64_t whole = 0, weight = 0;
	size_t count = 0;
	text = numbers(text, &whole, 1);
	while (count < SHARES_MOST && text[strspn(text, " \n")]) {
		text = numbers(text, &weight, 1);
		weights[count++] = weight;
	}
	if (cost_share_out((int64_t)whole, weights, count, parts) != 0)
		fail("no memory");
	printf("shares");
	for (size_t i = 0; i < count; i++)
		printf(" %" PRId64, parts[i]);
	puts("");
	fflush(stdout);
}

static int serve(void)
{
	static const struct {
		const char *word;
		void (*take)(const char *text);
	} statements[] = { { "host", take_host },
			   { "up", take_up },
			   { "hold", take_hold },
			   { "split", take_split },
			   { "share", take_share } };
	static char line[1 << 16];
	while (fgets(line, sizeof(line), stdin)) {
		size_t length = strcspn(line, " "), i = 0,
		       count = sizeof(statements) / sizeof(*statements);
		while (i < count && strncmp(line, statements[i].word, length) != 0)
			i++;
		if (i == count || line[length] == '\0')
			fail("a statement is not known");
		statements[i].take(line + length);
	}
	return 0;
}

static struct chance chance;

static uint64_t below(uint64_t limit)
{
	return chance_below(&chance, limit);
}

/* A host of 64 CPUs that was up for a month, its price changing now and then, and tasks of a minute
 * to two hours, most of them minutes. */
static void make_host(size_t tasks)
{
	int64_t now = 1793491200 * NS_PER_S, month = now + 720 * HOUR; /* 2026-11-01 */
	host = (struct cost_host){ { 64 * COST_MILLION, 256 << 20, 0 }, { 600000, 400000, 0 } };
	stretch_count = hold_count = 0;
	for (int64_t at = now; at < month; at += 144 * HOUR)
		stretches[stretch_count++] =
			(struct cost_stretch){ at, at + 144 * HOUR,
					       1000000000 + (int64_t)below(3000000000) };
	for (size_t i = 0; i < tasks; i++) {
		struct cost_hold *hold = &holds[hold_count++];
		int64_t length = (int64_t)below(below(4) ? 900 : 7200) * NS_PER_S + NS_PER_S;
		*hold = (struct cost_hold){ .since_at =
						    now + (int64_t)below((uint64_t)(month - now)),
					    .key = below(UINT64_MAX) };
		hold->until_at = hold->since_at + length;
		hold->reserved[COST_CPU] = (1 + below(16)) * COST_MILLION;
		hold->used[COST_CPU] = below(hold->reserved[COST_CPU]);
		hold->reserved[COST_MEMORY] = (1 + below(64)) << 20;
		hold->used[COST_MEMORY] = below(80 << 20);
	}
}

struct counts {
	size_t parts, cells;
	int64_t nusd;
};

static int count_part(void *context, const struct cost_cell *cell, size_t hold,
		      const struct cost_part *part)
{
	struct counts *counts = context;
	(void)cell;
	(void)hold;
	counts->parts++;
	counts->nusd += part->used_nusd + part->unused_nusd + part->idle_nusd;
	return 0;
}

static int count_cell(void *context, const struct cost_cell *cell)
{
	struct counts *counts = context;
	counts->cells++;
	counts->nusd -= cell->whole_nusd - cell->unallocated_nusd;
	return 0;
}

static int measure(size_t tasks, size_t hosts, uint64_t seed, enum cost_rule rule)
{
	struct counts counts = { 0 };
	const struct cost_sink sink = { count_part, count_cell, &counts };
	uint64_t ns = 0;
	chance.state = seed;
	for (size_t i = 0; i < hosts; i++) {
		make_host(tasks * (i + 1) / hosts - tasks * i / hosts);
		uint64_t begin = clock_process_cpu_ns();
		split(&sink, rule);
		ns += clock_process_cpu_ns() - begin;
	}
	if (counts.nusd != 0)
		fail("parts do not add up");
	printf("%zu %zu %zu %" PRIu64 "\n", tasks, counts.parts, counts.cells, ns);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 1)
		return serve();
	if (argc != 6 || strcmp(argv[1], "time") != 0)
		fail("usage: split_driver [time TASKS HOSTS SEED RULE]");
	size_t tasks = strtoull(argv[2], NULL, 10), hosts = strtoull(argv[3], NULL, 10);
	if (tasks > HOLDS_MOST || hosts == 0)
		fail("too many tasks, or no host");
	return measure(tasks, hosts, strtoull(argv[4], NULL, 10), rule_of(argv[5]));
}
