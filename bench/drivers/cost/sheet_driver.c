/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sheet of costs (src/cost/sheet.h), for bench/cost.sh. Standard input, a statement a line, its
 * fields separated by TABs; numbers are whole, in the units of sheet_fill.h:
 *
 *     sheet SINCE UNTIL hour|day|window     begins one
 *     host ID TYPE CPUS MEMORY GPUS CPU_PPM MEMORY_PPM GPU_PPM
 *     price HOST SINCE NUSD_HOUR            0: not known; HOST, RUN: places, from 0
 *     up HOST SINCE UNTIL
 *     run ID PIPELINE USER LABELS
 *     hold HOST RUN TASK STEP SAMPLE CONTAINER POD SINCE UNTIL CPU_NS MILLION_CPUS MEMORY
 *          MEMORY_REQUESTED GPUS TOOLS      TOOLS: "NANOSECONDS NAME;…"
 *     centres YAML      settings of cost centres, "\n" for the ends of lines
 *     split held|aws    prints for each entry "task TASK SINCE USED UNUSED IDLE" (TASK: the place
 *                       of its hold), "up HOST SINCE WHOLE UNALLOCATED" for each host, and "done"
 *     rows KEY LABEL    prints "row KEY ID RUNS TASKS SAMPLES CPU_NS USED UNUSED IDLE UNALLOCATED
 *                       PRICED", "point ROW AT USED UNUSED IDLE", and "done WHOLE UNALLOCATED"
 *
 * sheet_driver time TASKS HOSTS SEED RULE     see sheet_time.h
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost/policy/policy.h"
#include "cost/sheet_choice.h"
#include "cost/sheet_fill.h"
#include "cost/sheet_rows.h"
#include "sheet_time.h"

#define FIELDS 16

static struct sheet *sheet;
static struct cost_policy *policy;

static int64_t number(const char *text)
{
	return strtoll(text, NULL, 10);
}

static enum cost_rule rule_of(const char *word)
{
	return strcmp(word, "aws") == 0 ? COST_RULE_AWS : COST_RULE_HELD;
}

static void begin(char **fields)
{
	enum sheet_bucket bucket = *fields[2] == 'h'   ? SHEET_HOUR
				   : *fields[2] == 'd' ? SHEET_DAY
						       : SHEET_WINDOW;
	sheet_free(sheet);
	sheet = sheet_new(number(fields[0]), number(fields[1]), bucket);
	sheet_must(!sheet);
}

static void host(char **fields)
{
	const uint32_t weights[COST_KINDS] = { (uint32_t)number(fields[5]),
					       (uint32_t)number(fields[6]),
					       (uint32_t)number(fields[7]) };
	sheet_must(sheet_add_host(
		sheet, &(struct sheet_host_facts){ .id = fields[0],
						   .hostname = fields[0],
						   .instance_type = fields[1],
						   .cpus = (double)number(fields[2]),
						   .memory_bytes = (uint64_t)number(fields[3]),
						   .gpus = (uint64_t)number(fields[4]),
						   .weight_ppm = weights }));
}

static void price(char **fields)
{
	sheet_must(sheet_add_price(sheet, (size_t)number(fields[0]), number(fields[1]),
				   (double)number(fields[2]) / 1e9, "list"));
}

static void up(char **fields)
{
	sheet_must(sheet_add_up(sheet, (size_t)number(fields[0]), number(fields[1]),
				number(fields[2])));
}

static void run(char **fields)
{
	sheet_must(sheet_add_run(sheet, &(struct sheet_run_facts){ .id = fields[0],
								   .name = fields[0],
								   .pipeline = fields[1],
								   .user = fields[2],
								   .engine = "make",
								   .labels = fields[3] }));
}

static void hold(char **fields)
{
	for (char *at = fields[14]; *at; at++)
		*at = *at == ';' ? '\n' : *at == ' ' ? '\t' : *at;
	sheet_must(sheet_add_hold(
		sheet, &(struct sheet_hold_facts){
			       .host = (size_t)number(fields[0]),
			       .run = (size_t)number(fields[1]),
			       .task = fields[2],
			       .step = fields[3],
			       .name = fields[2],
			       .sample = fields[4],
			       .container = fields[5],
			       .pod = fields[6],
			       .since_at = number(fields[7]),
			       .until_at = number(fields[8]),
			       .cpu_ns = (uint64_t)number(fields[9]),
			       .cpus_requested = (double)number(fields[10]) / COST_MILLION,
			       .memory_bytes = (uint64_t)number(fields[11]),
			       .memory_requested_bytes = (uint64_t)number(fields[12]),
			       .gpus = (uint64_t)number(fields[13]),
			       .tools = fields[14],
			       .input_bytes = -1 }));
}

static void centres(char **fields)
{
	struct error err = { "" };
	char *out = fields[0];
	for (const char *at = fields[0]; *at; at++, out++) {
		bool end = at[0] == '\\' && at[1] == 'n';
		*out = end ? '\n' : *at;
		at += end;
	}
	*out = '\0';
	cost_policy_free(policy);
	policy = NULL;
	sheet_must(cost_policy_parse(fields[0], strlen(fields[0]), "centres", &policy, &err));
}

static void print_part(const struct cost_part *part, char end)
{
	printf("\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "%c", part->used_nusd, part->unused_nusd,
	       part->idle_nusd, end);
}

static void split(char **fields)
{
	sheet_must(sheet_split(sheet, rule_of(fields[0])));
	for (size_t i = 0; i < sheet->entry_count; i++) {
		const struct sheet_entry *entry = &sheet->entries[i];
		printf("task\t%zu\t%" PRId64, entry->task, entry->since_at);
		print_part(&entry->part, '\n');
	}
	for (size_t i = 0; i < sheet->up_count; i++)
		printf("up\t%zu\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\n", sheet->ups[i].host,
		       sheet->ups[i].since_at, sheet->ups[i].whole_nusd,
		       sheet->ups[i].unallocated_nusd);
	puts("done");
}

static void rows(char **fields)
{
	const struct sheet_choice choice = { .by = fields[0],
					     .label = fields[1],
					     .points = sheet->bucket != SHEET_WINDOW,
					     .policy = policy };
	struct sheet_rows made;
	sheet_must(!sheet_key_find(fields[0]));
	sheet_must(sheet_rows_make(sheet, &choice, &made));
	sheet_must(sheet_rows_sort(&made, fields[0]));
	for (size_t i = 0; i < made.count; i++) {
		const struct sheet_row *row = &made.items[i];
		printf("row\t%s\t%s\t%zu\t%zu\t%zu\t%" PRIu64, row->key, row->id, row->runs,
		       row->tasks, row->samples, row->cpu_ns);
		print_part(&row->part, '\t');
		printf("%" PRId64 "\t%d\n", row->unallocated_nusd, row->priced);
	}
	for (size_t i = 0; i < made.point_count; i++) {
		printf("point\t%zd\t%" PRId64, (ssize_t)made.points[i].row, made.points[i].at);
		print_part(&made.points[i].part, '\n');
	}
	printf("done\t%" PRId64 "\t%" PRId64 "\n", made.whole_nusd, made.unallocated_nusd);
	sheet_rows_clear(&made);
}

static int serve(void)
{
	static const struct {
		const char *word;
		size_t fields;
		void (*take)(char **fields);
	} statements[] = { { "sheet", 3, begin }, { "host", 8, host }, { "price", 3, price },
			   { "up", 3, up },       { "run", 4, run },   { "hold", 15, hold },
			   { "split", 1, split }, { "rows", 2, rows }, { "centres", 1, centres } };
	static char line[1 << 16];
	while (fgets(line, sizeof(line), stdin)) {
		char *rest = line, *fields[FIELDS + 1];
		size_t count = 0, i = 0;
		line[strcspn(line, "\n")] = '\0';
		while (count <= FIELDS && (fields[count] = strsep(&rest, "\t")))
			count++;
		while (i < sizeof(statements) / sizeof(*statements) &&
		       strcmp(statements[i].word, fields[0]) != 0)
			i++;
		sheet_must(i == sizeof(statements) / sizeof(*statements) ||
			   count != statements[i].fields + 1);
		statements[i].take(fields + 1);
		fflush(stdout);
	}
	sheet_free(sheet);
	cost_policy_free(policy);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 1)
		return serve();
	sheet_must(argc != 6 || strcmp(argv[1], "time") != 0);
	sheet_time(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10),
		   strtoull(argv[4], NULL, 10), rule_of(argv[5]));
	return 0;
}
