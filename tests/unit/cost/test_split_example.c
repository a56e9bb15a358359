/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cost/share_out.h"
#include "fixture_split.h"

/*
 * The worked example of docs/cost.md, "A worked example": each line of its tables that has figures
 * is made here and must be in the document.
 */
static const char *const statements[] = {
	"host 4 16 0 720951 279049 0", /* m6i.xlarge: its weights of the catalogue */
	"up 14 15 0.192", "hold 14 14.6666666666667 2 8 0 / 1.5 6 0", /* align: 40 minutes */
	"hold 14.3333333333333 14.8333333333333 1 2 0 / 0.25 1 0",    /* qc: 30 minutes */
};

static char *document;

static int read_document(void **state)
{
	FILE *file = fopen(TESTS_DIR "/../docs/cost.md", "r");
	size_t room = 1 << 20;
	(void)state;
	assert_non_null(file);
	document = calloc(1, room);
	assert_non_null(document);
	assert_true(fread(document, 1, room - 1, file) > 0);
	fclose(file);
	return 0;
}

static int free_document(void **state)
{
	(void)state;
	free(document);
	return 0;
}

static void must_have(const char *line)
{
	if (!strstr(document, line))
		fail_msg("docs/cost.md lacks: %s", line);
}

static double usd(int64_t nusd)
{
	return (double)nusd / SPLIT_USD;
}

static void row(const char *name, const struct cost_part *part)
{
	char line[256];
	snprintf(line, sizeof(line), "| %s | %.9f | %.9f | %.9f | %.9f |\n", name,
		 usd(part->used_nusd), usd(part->unused_nusd), usd(part->idle_nusd),
		 usd(split_cost(part)));
	must_have(line);
}

static void read_case(struct split_case *input)
{
	*input = (struct split_case){ 0 };
	for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++)
		assert_true(split_case_read(input, statements[i]));
}

static struct cost_part sum_of(const struct split_sums *sums)
{
	return (struct cost_part){
		sums->parts[0].used_nusd + sums->parts[1].used_nusd,
		sums->parts[0].unused_nusd + sums->parts[1].unused_nusd,
		sums->parts[0].idle_nusd + sums->parts[1].idle_nusd,
	};
}

static void the_hour_is_split_as_the_document_says(void **state)
{
	static struct split_case input;
	static struct split_sums sums;
	char line[256];
	(void)state;
	read_case(&input);
	split_case_run(&input, COST_RULE_HELD, &sums);
	struct cost_part both = sum_of(&sums);
	row("align", &sums.parts[0]);
	row("qc", &sums.parts[1]);
	row("both tasks", &both);
	snprintf(line, sizeof(line), "| held by none | | | | %.9f |\n", usd(sums.unallocated_nusd));
	must_have(line);
	snprintf(line, sizeof(line), "| the host, 14:00 to 15:00 | | | | %.9f |\n",
		 usd(sums.whole_nusd));
	must_have(line);
	assert_int_equal(split_cost(&both) + sums.unallocated_nusd, sums.whole_nusd);
}

/* Two tools, by their CPU time: 2,700 and 900 s. */
static void tools_share_the_parts_of_their_task(void **state)
{
	static struct split_case input;
	static struct split_sums sums;
	const unsigned __int128 times[] = { 2700 * SPLIT_S, 900 * SPLIT_S };
	int64_t used[2], unused[2], idle[2];
	(void)state;
	read_case(&input);
	split_case_run(&input, COST_RULE_HELD, &sums);
	assert_int_equal(cost_share_out(sums.parts[0].used_nusd, times, 2, used), 0);
	assert_int_equal(cost_share_out(sums.parts[0].unused_nusd, times, 2, unused), 0);
	assert_int_equal(cost_share_out(sums.parts[0].idle_nusd, times, 2, idle), 0);
	const struct cost_part bwa = { used[0], unused[0], idle[0] };
	const struct cost_part samtools = { used[1], unused[1], idle[1] };
	row("`bwa mem`", &bwa);
	row("`samtools sort`", &samtools);
	assert_int_equal(split_cost(&bwa) + split_cost(&samtools), split_cost(&sums.parts[0]));
}

static void the_rule_of_aws_splits_it_as_the_document_says(void **state)
{
	static struct split_case input;
	static struct split_sums sums;
	(void)state;
	read_case(&input);
	split_case_run(&input, COST_RULE_AWS, &sums);
	row("align, `aws`", &sums.parts[0]);
	row("qc, `aws`", &sums.parts[1]);
	assert_int_equal(sums.unallocated_nusd, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hour_is_split_as_the_document_says),
		cmocka_unit_test(tools_share_the_parts_of_their_task),
		cmocka_unit_test(the_rule_of_aws_splits_it_as_the_document_says),
	};
	return cmocka_run_group_tests(tests, read_document, free_document);
}
