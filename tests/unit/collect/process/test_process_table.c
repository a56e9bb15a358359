/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "collect/process/images.h"
#include "collect/process/process_table.h"

static const char *const argv[] = { "/usr/bin/bwa", "mem", "--token=s3cr3t", "ref.fa", NULL };
static const struct image_text text = {
	.tool = "bwa mem", .exe = "/usr/bin/bwa", .cwd = "/data", .argv = argv, .argc = 4
};

static void an_image_gives_back_its_texts_masked(void **state)
{
	struct images *images = images_new(1 << 20);
	struct image_text masked = text;
	struct image *image;
	char *args[4];

	masked.argv = images_mask(images, argv, 4);
	assert_non_null(masked.argv);
	image = images_take(images, &masked);
	assert_string_equal(image_tool(image), "bwa mem");
	assert_string_equal(image_exe(image), "/usr/bin/bwa");
	assert_string_equal(image_cwd(image), "/data");
	assert_int_equal(image_argc(image), 4);
	image_argv(image, args);
	assert_string_equal(args[0], "/usr/bin/bwa");
	assert_string_equal(args[2], "--token=***");
	assert_string_equal(args[3], "ref.fa");
	images_release(images, image);
	assert_int_equal(images_bytes(images), 0);
	images_free(images);
}

static void an_unknown_image_reads_empty(void **state)
{
	assert_string_equal(image_tool(NULL), "");
	assert_string_equal(image_cwd(NULL), "");
	assert_int_equal(image_argc(NULL), 0);
	image_argv(NULL, NULL);
}

static void a_shared_image_lives_as_long_as_its_last_holder(void **state)
{
	struct images *images = images_new(1 << 20);
	struct image *image = images_take(images, &text);

	assert_ptr_equal(image_share(image), image);
	assert_int_equal(images_count(images), 1);
	images_release(images, image);
	assert_string_equal(image_exe(image), "/usr/bin/bwa");
	images_release(images, image);
	assert_int_equal(images_count(images), 0);
	images_free(images);
}

static void beyond_the_limit_arguments_are_cut_and_counted(void **state)
{
	char long_argument[200];
	const char *many[100];
	const struct image_text big = {
		.tool = "t", .exe = "/e", .cwd = "/", .argv = many, .argc = 100
	};
	struct images *images = images_new(30000);
	struct image *whole, *cut;

	memset(long_argument, 'a', sizeof(long_argument) - 1);
	long_argument[sizeof(long_argument) - 1] = '\0';
	for (size_t i = 0; i < 100; i++)
		many[i] = long_argument;
	whole = images_take(images, &big);
	assert_int_equal(image_argc(whole), 100);
	assert_int_equal(image_missing_bytes(whole), 0);
	cut = images_take(images, &big);
	assert_int_equal(image_argc(cut), 1); /* of 200 bytes; two are more than IMAGES_CUT */
	assert_int_equal(image_missing_bytes(cut), 99 * 200);
	assert_true(images_bytes(images) < 30000);
	images_release(images, whole);
	images_release(images, cut);
	images_free(images);
}

static void an_argument_longer_than_the_cut_is_missing_whole(void **state)
{
	char long_argument[1000];
	const char *one[] = { long_argument };
	struct images *images = images_new(10);
	struct image *image;

	memset(long_argument, 'a', sizeof(long_argument) - 1);
	long_argument[sizeof(long_argument) - 1] = '\0';
	image = images_take(images, &(struct image_text){ .argv = one, .argc = 1 });
	assert_int_equal(image_argc(image), 0);
	assert_int_equal(image_missing_bytes(image), 1000);
	images_release(images, image);
	images_free(images);
}

static void the_table_holds_its_cap_and_not_one_more(void **state)
{
	struct images *images = images_new(1 << 20);
	struct process_table *table = process_table_new(65536, images);

	for (uint32_t pid = 1; pid <= 65536; pid++)
		assert_non_null(process_table_add(table, &(struct probe_key){ pid, pid * 7ULL }));
	assert_null(process_table_add(table, &(struct probe_key){ 70000, 1 }));
	assert_int_equal(process_table_live(table), 65536);
	for (uint32_t pid = 1; pid <= 65536; pid++)
		assert_int_equal(
			process_table_get(table, &(struct probe_key){ pid, pid * 7ULL })->key.pid,
			pid);
	assert_null(
		process_table_get(table, &(struct probe_key){ 5, 36 })); /* the pid, used again */
	process_table_remove(table, process_table_get(table, &(struct probe_key){ 5, 35 }));
	assert_null(process_table_get(table, &(struct probe_key){ 5, 35 }));
	assert_non_null(process_table_add(table, &(struct probe_key){ 70000, 1 }));
	process_table_free(table);
	images_free(images);
}

static void remove_even(struct process *process, void *context)
{
	if (process->key.pid % 2 == 0)
		process_table_remove(context, process);
}

static void a_visit_may_remove_what_it_visits(void **state)
{
	struct images *images = images_new(1 << 20);
	struct process_table *table = process_table_new(1000, images);

	for (uint32_t pid = 1; pid <= 1000; pid++)
		process_table_add(table, &(struct probe_key){ pid, 1 })->image =
			images_take(images, &text);
	process_table_visit(table, remove_even, table);
	assert_int_equal(process_table_count(table), 500);
	assert_int_equal(images_count(images), 500);
	assert_null(process_table_get(table, &(struct probe_key){ 2, 1 }));
	assert_non_null(process_table_get(table, &(struct probe_key){ 3, 1 }));
	process_table_free(table);
	assert_int_equal(images_count(images), 0);
	images_free(images);
}

static void count(struct process *process, void *context)
{
	++*(size_t *)context;
}

static void end_odd(struct process *process, void *context)
{
	if (process->key.pid % 2)
		process_table_end(context, process, process->key.pid);
}

static void assert_visited(struct process_table *table, size_t live, size_t ended)
{
	size_t visited = 0, visited_ended = 0;

	process_table_visit(table, count, &visited);
	process_table_visit_ended(table, count, &visited_ended);
	assert_int_equal(visited, live);
	assert_int_equal(visited_ended, ended);
	assert_int_equal(process_table_live(table), live);
	assert_int_equal(process_table_count(table), live + ended);
}

static void the_ended_are_apart_and_can_be_found(void **state)
{
	struct images *images = images_new(1 << 20);
	struct process_table *table = process_table_new(1000, images);
	struct process *process;

	for (uint32_t pid = 1; pid <= 1000; pid++)
		process_table_add(table, &(struct probe_key){ pid, 1 });
	process_table_visit(table, end_odd, table);
	assert_visited(table, 500, 500);
	assert_null(process_table_add(table, &(struct probe_key){ 1001, 1 })); /* all count */
	process = process_table_get(table, &(struct probe_key){ 7, 1 });
	assert_int_equal(process->ended_ns, 7);
	process_table_revive(table, process);
	assert_visited(table, 501, 499);
	assert_ptr_equal(process_table_get(table, &(struct probe_key){ 7, 1 }), process);
	process_table_remove(table, process);
	process_table_remove(table, process_table_get(table, &(struct probe_key){ 9, 1 }));
	assert_visited(table, 500, 498);
	process_table_free(table);
	images_free(images);
}

static void a_process_stays_small(void **state)
{
	/* 20,000 of them, with their images, must fit into a few MiB. */
	assert_true(sizeof(struct process) <= 208);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_image_gives_back_its_texts_masked),
		cmocka_unit_test(an_unknown_image_reads_empty),
		cmocka_unit_test(a_shared_image_lives_as_long_as_its_last_holder),
		cmocka_unit_test(beyond_the_limit_arguments_are_cut_and_counted),
		cmocka_unit_test(an_argument_longer_than_the_cut_is_missing_whole),
		cmocka_unit_test(the_table_holds_its_cap_and_not_one_more),
		cmocka_unit_test(a_visit_may_remove_what_it_visits),
		cmocka_unit_test(the_ended_are_apart_and_can_be_found),
		cmocka_unit_test(a_process_stays_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
