/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long it takes to find what commands are called:
 *
 *     name_driver COMMANDS ROUNDS [RULES.yaml]
 *
 * COMMANDS: a record each, EXE ARGV…. Names each of them ROUNDS times by the built-in rules and
 * those of RULES.yaml. Writes "rules N", then for "read" (the same loop, which but reads each byte)
 * and "name": median and 99th percentile of the batches, in ns a command.
 */
#include "correlate/command/command.h"
#include "correlate/rules/rules.h"
#include "records.h"

#define BATCH 128 /* commands that are timed together */

static struct rules *rules;

static unsigned read_only(const struct record *command)
{
	unsigned sum = 0;

	for (size_t i = 0; i < command->count; i++)
		for (const char *at = command->words[i]; *at; at++)
			sum += (unsigned char)*at;
	return sum;
}

static unsigned name(const struct record *command)
{
	char text[TOOL_NAME_SIZE];

	rules_tool(rules, command->words[0], command->words + 1, command->count - 1, text,
		   sizeof(text));
	return (unsigned char)*text;
}

static int by_time(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static void measure(const char *what, unsigned (*work)(const struct record *command),
		    const struct records *commands, size_t rounds)
{
	size_t batches = commands->count / BATCH, count = 0;
	double *times = calloc(rounds * batches + 1, sizeof(*times));
	volatile unsigned sum = 0;

	need(times && rounds * batches > 0, "too few commands");
	for (size_t round = 0; round < rounds; round++) {
		for (size_t batch = 0; batch < batches; batch++) {
			const struct record *first = &commands->items[batch * BATCH];
			long long began = now_ns(CLOCK_PROCESS_CPUTIME_ID);

			for (size_t i = 0; i < BATCH; i++)
				sum += work(&first[i]);
			times[count++] = (double)(now_ns(CLOCK_PROCESS_CPUTIME_ID) - began) / BATCH;
		}
	}
	qsort(times, count, sizeof(*times), by_time);
	printf("%s %.1f %.1f\n", what, times[count / 2], times[count * 99 / 100]);
	free(times);
}

static void add_rules(const char *path)
{
	struct error err;
	char *yaml;
	size_t len;

	need(file_read(AT_FDCWD, path, FILE_LIMIT, &yaml, &len) == 0, path);
	if (rules_add(rules, path, yaml, len, &err))
		need(0, error_text(&err));
	free(yaml);
}

int main(int argc, char **argv)
{
	struct records commands;
	struct error err;
	size_t rounds;

	if (argc < 3)
		return 2;
	commands = records_read(argv[1]);
	rounds = strtoul(argv[2], NULL, 10);
	if (rules_new(&rules, &err))
		need(0, error_text(&err));
	if (argc > 3)
		add_rules(argv[3]);
	printf("rules %zu\n", rules_count(rules));
	measure("read", read_only, &commands, rounds);
	measure("name", name, &commands, rounds);
	return 0;
}
