/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cost/focus/focus.h"
#include "cost/focus/focus_column.h"

#define S     INT64_C(1000000000)
#define DAY   (86400 * S)
#define NOV_1 (INT64_C(1793491200) * S) /* 2026-11-01T00:00:00Z */
#define USD   INT64_C(1000000000)

DEFINE_CLEANUP(struct focus_writer *, focus_writer_free)

static struct sheet_price prices[] = {
	{ .since_at = 0, .nusd_hour = 11, .source = "old", .known = true },
	{ .since_at = NOV_1 + DAY, .nusd_hour = USD / 6, .source = "new", .known = true },
};
static struct sheet_host hosts[] = {
	{ .id = "h1",
	  .hostname = "node1",
	  .provider = "aws",
	  .region = "eu-west-1",
	  .zone = "eu-west-1a",
	  .instance_type = "m6i.large",
	  .instance_id = "i-0abc",
	  .account_id = "acct",
	  .purchase = "spot",
	  .cpus = 2,
	  .memory_bytes = (uint64_t)8 << 30,
	  .prices = prices,
	  .price_count = 2 },
	{ .id = "h2",
	  .hostname = "box, \"old\"",
	  .provider = "",
	  .region = "",
	  .zone = "",
	  .instance_type = "",
	  .instance_id = "",
	  .account_id = "",
	  .purchase = "" },
	{ .id = "h3",
	  .hostname = "free",
	  .provider = "",
	  .region = "",
	  .zone = "",
	  .instance_type = "",
	  .instance_id = "",
	  .account_id = "",
	  .purchase = "" },
};
static struct sheet_run runs[] = {
	{ .id = "r1",
	  .name = "sad_euler",
	  .pipeline = "rnaseq",
	  .user = "ann",
	  .engine = "nextflow",
	  .cwd = "/data",
	  .labels = "{\"project\":\"x\",\"tracer:run\":\"no\",\"n\":1}" },
};
static struct sheet_tool tools[] = {
	{ "bwa mem", 5, SIZE_MAX },
	{ "a", 5, 2 },
	{ "b", 4, SIZE_MAX },
};
static struct sheet_task tasks[] = {
	{ .host = 0,
	  .run = 0,
	  .id = "t1",
	  .step = "ALIGN",
	  .name = "ALIGN (s1)",
	  .sample = "s1",
	  .container = "",
	  .pod = "",
	  .first_tool = 0 },
	{ .host = 1,
	  .run = 0,
	  .id = "",
	  .step = "",
	  .name = "",
	  .sample = "",
	  .container = "",
	  .pod = "",
	  .first_tool = 1 },
	{ .host = 2,
	  .run = 0,
	  .id = "t3",
	  .step = "",
	  .name = "",
	  .sample = "",
	  .container = "",
	  .pod = "",
	  .first_tool = SIZE_MAX },
};
static struct sheet_entry entries[] = {
	{ .task = 0, .since_at = NOV_1, .until_at = NOV_1 + DAY, .part = { 7, 3, 1 } },
	{ .task = 0,
	  .since_at = NOV_1 + DAY,
	  .until_at = NOV_1 + 2 * DAY,
	  .part = { USD, 2 * USD, 123456789 } },
	{ .task = 1, .since_at = NOV_1, .until_at = NOV_1 + DAY, .part = { 1, 0, 0 } },
	{ .task = 2, .since_at = NOV_1, .until_at = NOV_1 + DAY, .part = { 0, 0, 0 } },
};
static struct sheet_up ups[] = {
	{ 1, NOV_1, NOV_1 + DAY, DAY, 5 * USD, 5 * USD - 1, true },
	{ 0, NOV_1 + DAY, NOV_1 + 2 * DAY, DAY, 4 * USD, 4 * USD - 3123456789, true },
	{ 0, NOV_1, NOV_1 + DAY, 3600 * S, 11, 0, true },
	{ 2, NOV_1, NOV_1 + DAY, DAY, 0, 0, false },
};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct sheet sheet_of_days(void)
{
	return (struct sheet){
		.since_at = NOV_1,
		.until_at = NOV_1 + 2 * DAY,
		.bucket = SHEET_DAY,
		.hosts = hosts,
		.runs = runs,
		.tasks = tasks,
		.tools = tools,
		.entries = entries,
		.ups = ups,
		.host_count = COUNT(hosts),
		.run_count = COUNT(runs),
		.task_count = COUNT(tasks),
		.tool_count = COUNT(tools),
		.entry_count = COUNT(entries),
		.up_count = COUNT(ups),
	};
}

/* The file, cut in lines and cells; quotes are taken away. */
#define LINES 16
struct file {
	char *cells[LINES][64];
	size_t lines;
	struct buffer text;
};

static void file_clear(struct file *file)
{
	buffer_clear(&file->text);
}

static char *cut_cell(char *at, char *end_byte)
{
	char *out = at;
	bool quoted = *at == '"';

	for (at += quoted; *at && (quoted || !strchr(",\n", *at)); at++) {
		if (quoted && *at == '"' && at[1] != '"') {
			at++;
			break;
		}
		at += quoted && *at == '"';
		*out++ = *at;
	}
	*end_byte = *at;
	*out = '\0';
	return at;
}

static void read_file(const struct sheet *sheet, struct file *file)
{
	CLEANUP(focus_writer_freep) struct focus_writer *writer = NULL;

	buffer_init(&file->text, 0);
	assert_int_equal(focus_writer_new(sheet, &writer), 0);
	while (focus_writer_next(writer, &file->text))
		;
	assert_false(file->text.failed);
	for (char *at = file->text.data; *at; file->lines++) {
		char end = ',';

		assert_true(file->lines < LINES);
		for (size_t i = 0; end == ','; i++) {
			file->cells[file->lines][i] = at;
			at = cut_cell(at, &end) + 1;
			assert_true(i < FOCUS_COLUMNS_COUNT);
			assert_true((end == ',') == (i + 1 < FOCUS_COLUMNS_COUNT));
		}
	}
}

static const char *cell(const struct file *file, size_t line, const char *column)
{
	for (size_t i = 0; i < FOCUS_COLUMNS_COUNT; i++)
		if (strcmp(FOCUS_COLUMNS[i].name, column) == 0)
			return file->cells[line][i];
	fail_msg("no column %s", column);
	return NULL;
}

static void expect(const struct file *file, size_t line, const char *column, const char *value)
{
	if (strcmp(cell(file, line, column), value) != 0)
		fail_msg("line %zu, %s: %s instead of %s", line, column, cell(file, line, column),
			 value);
}

static int64_t nusd_of(const char *text)
{
	char *point;
	int64_t whole = strtoll(text, &point, 10);

	assert_int_equal(*point, '.');
	assert_int_equal(strlen(point), 10);
	return whole * USD + strtoll(point + 1, NULL, 10);
}

static void columns_are_those_of_focus_by_name_then_our_own(void **state)
{
	bool ours = false;

	for (size_t i = 0; i < FOCUS_COLUMNS_COUNT; i++) {
		const struct focus_column *column = &FOCUS_COLUMNS[i];

		if (i && ours == (strncmp(column->name, "x_", 2) == 0))
			assert_true(strcmp(column[-1].name, column->name) < 0);
		ours = strncmp(column->name, "x_", 2) == 0;
		assert_true(column->nullable || column->fill || column->fixed);
		assert_false(column->fill && column->fixed);
	}
	assert_int_equal(FOCUS_COLUMNS_COUNT, 57 + 4);
}

static void a_task_has_a_row_for_each_day(void **state)
{
	struct sheet sheet = sheet_of_days();
	CLEANUP(file_clear) struct file file = { 0 };

	read_file(&sheet, &file);
	expect(&file, 1, "ChargePeriodStart", "2026-11-01T00:00:00Z");
	expect(&file, 1, "ChargePeriodEnd", "2026-11-02T00:00:00Z");
	expect(&file, 2, "ChargePeriodStart", "2026-11-02T00:00:00Z");
	expect(&file, 2, "BillingPeriodStart", "2026-11-01T00:00:00Z");
	expect(&file, 2, "BillingPeriodEnd", "2026-12-01T00:00:00Z");
	expect(&file, 2, "BilledCost", "3.123456789");
	expect(&file, 2, "x_UsedCost", "1.000000000");
	expect(&file, 2, "x_UnusedCost", "2.000000000");
	expect(&file, 2, "x_IdleCost", "0.123456789");
	expect(&file, 2, "ResourceId", "i-0abc");
	expect(&file, 2, "SkuPriceId", "m6i.large/eu-west-1/spot");
	expect(&file, 2, "PricingCategory", "Dynamic");
	expect(&file, 2, "ChargeDescription", "Task ALIGN (s1) of run sad_euler, on node1");
	expect(&file, 2, "SkuPriceDetails",
	       "{\"CoreCount\":2,\"InstanceType\":\"m6i.large\",\"MemorySize\":8}");
	expect(&file, 2, "Tags",
	       "{\"tracer:host\":\"node1\",\"tracer:pipeline\":\"rnaseq\",\"tracer:run\":"
	       "\"sad_euler\",\"tracer:run_id\":\"r1\",\"tracer:engine\":\"nextflow\","
	       "\"tracer:user\":\"ann\",\"tracer:task_id\":\"t1\",\"tracer:task\":\"ALIGN (s1)\","
	       "\"tracer:step\":\"ALIGN\",\"tracer:sample\":\"s1\",\"tracer:tool\":\"bwa mem\","
	       "\"project\":\"x\",\"label:tracer:run\":\"no\"}");
}

static void an_engine_of_a_machine_of_ones_own_is_described(void **state)
{
	struct sheet sheet = sheet_of_days();
	CLEANUP(file_clear) struct file file = { 0 };

	read_file(&sheet, &file);
	expect(&file, 3, "ResourceId", "h2");
	expect(&file, 3, "ResourceName", "box, \"old\"");
	expect(&file, 3, "RegionId", "");
	expect(&file, 3, "BillingAccountId", "on-premises");
	expect(&file, 3, "ProviderName", "On premises");
	expect(&file, 3, "SkuPriceId", "own-machine/h2");
	expect(&file, 3, "ChargeDescription", "Engine of run sad_euler, on box, \"old\"");
	assert_null(strstr(cell(&file, 3, "Tags"), "tracer:tool"));
	assert_null(strstr(cell(&file, 3, "Tags"), "tracer:task_id"));
}

static void what_no_run_held_is_a_row_of_its_host(void **state)
{
	struct sheet sheet = sheet_of_days();
	CLEANUP(file_clear) struct file file = { 0 };

	read_file(&sheet, &file);
	/* h1 was held all of its first day; h3 has no price. */
	assert_int_equal(file.lines, 1 + 3 + 2);
	expect(&file, 4, "ResourceId", "i-0abc");
	expect(&file, 4, "ChargePeriodStart", "2026-11-02T00:00:00Z");
	expect(&file, 4, "BilledCost", "0.876543211");
	expect(&file, 4, "x_IdleCost", "0.876543211");
	expect(&file, 4, "Tags", "{\"tracer:host\":\"node1\",\"tracer:idle\":true}");
	expect(&file, 5, "ResourceId", "h2");
}

static void amounts_add_up_to_those_of_the_sheet(void **state)
{
	static const char *const amounts[] = { "BilledCost", "EffectiveCost", "ListCost",
					       "ContractedCost" };
	struct sheet sheet = sheet_of_days();
	CLEANUP(file_clear) struct file file = { 0 };

	read_file(&sheet, &file);
	for (size_t a = 0; a < COUNT(amounts); a++) {
		int64_t sum = 0, whole = 0;

		for (size_t i = 1; i < file.lines; i++)
			sum += nusd_of(cell(&file, i, amounts[a]));
		for (size_t i = 0; i < COUNT(ups); i++)
			whole += ups[i].whole_nusd;
		assert_int_equal(sum, whole);
	}
}

/* Of the smallest amounts, too: 11 nano-dollars in an hour. */
static void quantity_times_price_is_the_cost(void **state)
{
	struct sheet sheet = sheet_of_days();
	CLEANUP(file_clear) struct file file = { 0 };

	read_file(&sheet, &file);
	for (size_t i = 1; i < file.lines; i++) {
		long double quantity = strtold(cell(&file, i, "PricingQuantity"), NULL),
			    price = strtold(cell(&file, i, "ListUnitPrice"), NULL),
			    cost = strtold(cell(&file, i, "ListCost"), NULL);
		long double apart = quantity * price - cost;

		assert_true(apart < 1e-12L && apart > -1e-12L);
	}
	/* A price that explains the amount; else the mean of the bucket. */
	expect(&file, 1, "x_PriceSource", "old");
	expect(&file, 2, "ListUnitPrice", "0.166666666");
	expect(&file, 2, "x_PriceSource", "new");
	expect(&file, 3, "ListUnitPrice", "0.208333333");
	expect(&file, 3, "x_PriceSource", "");
	expect(&file, 1, "ListUnitPrice", "0.000000011");
	expect(&file, 1, "PricingQuantity", "1.000000000000000000");
}

static void a_sheet_that_is_not_in_hours_or_days_is_refused(void **state)
{
	struct sheet sheet = sheet_of_days();
	struct focus_writer *writer = NULL;

	sheet.bucket = SHEET_WINDOW;
	assert_int_equal(focus_writer_new(&sheet, &writer), -EINVAL);
	sheet = sheet_of_days();
	sheet.up_count -= 2; /* that of the first task, too, which cost something then */
	assert_int_equal(focus_writer_new(&sheet, &writer), -EINVAL);
	assert_null(writer);
}

/* An engine that only waits may have begun before its host was seen. */
static void what_cost_nothing_while_its_host_was_not_seen_has_no_row(void **state)
{
	struct sheet sheet = sheet_of_days();
	CLEANUP(file_clear) struct file all = { 0 }, file = { 0 };

	read_file(&sheet, &all);
	sheet.up_count--; /* that of the third task */
	read_file(&sheet, &file);
	assert_int_equal(file.lines, all.lines);
}

static void a_december_ends_with_its_year(void **state)
{
	struct sheet sheet = sheet_of_days();
	struct sheet_up up = { 0, NOV_1 + 30 * DAY, NOV_1 + 31 * DAY, DAY, 5, 5, true };
	CLEANUP(file_clear) struct file file = { 0 };

	sheet.entry_count = 0;
	sheet.ups = &up;
	sheet.up_count = 1;
	read_file(&sheet, &file);
	expect(&file, 1, "BillingPeriodStart", "2026-12-01T00:00:00Z");
	expect(&file, 1, "BillingPeriodEnd", "2027-01-01T00:00:00Z");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_those_of_focus_by_name_then_our_own),
		cmocka_unit_test(a_task_has_a_row_for_each_day),
		cmocka_unit_test(an_engine_of_a_machine_of_ones_own_is_described),
		cmocka_unit_test(what_no_run_held_is_a_row_of_its_host),
		cmocka_unit_test(amounts_add_up_to_those_of_the_sheet),
		cmocka_unit_test(quantity_times_price_is_the_cost),
		cmocka_unit_test(a_sheet_that_is_not_in_hours_or_days_is_refused),
		cmocka_unit_test(what_cost_nothing_while_its_host_was_not_seen_has_no_row),
		cmocka_unit_test(a_december_ends_with_its_year),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
