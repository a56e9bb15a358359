/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "collect/attribution/output_record.h"

#define NAME ".snakemake/metadata/YQ=="

static char folder[] = "/tmp/tracer-output-record.XXXXXX";
static char rule[RULE_NAME_BYTES];
static int place;

static int setup(void **state)
{
	if (!mkdtemp(folder) || chdir(folder) < 0 || mkdir(".snakemake", 0700) < 0 ||
	    mkdir(".snakemake/metadata", 0700) < 0)
		return -1;
	place = open(".", O_PATH | O_DIRECTORY);
	return place < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)unlink(NAME);
	(void)rmdir(".snakemake/metadata");
	(void)rmdir(".snakemake");
	close(place);
	return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static int fresh(void **state)
{
	(void)unlink(NAME);
	memset(rule, 0, sizeof(rule));
	return 0;
}

static void write_file(const char *text)
{
	int fd = open(NAME, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static int read_rule(int64_t since)
{
	return output_record_read(place, NAME, geteuid(), since, rule);
}

static void the_rule_of_a_record_is_read(void **state)
{
	assert_int_equal(read_rule(0), -ENOENT);
	write_file(
		"{\"version\": null, \"code\": \"gAS\", \"rule\": \"map_reads\", \"input\": [\"a\"]}");
	assert_int_equal(read_rule(clock_real_ns()), 0);
	assert_string_equal(rule, "map_reads");
}

static void what_an_earlier_run_left_is_not_taken(void **state)
{
	write_file("{\"rule\": \"map_reads\"}");
	assert_int_equal(read_rule(clock_real_ns() + NS_PER_S), -ESTALE);
}

static void what_is_no_plain_file_is_not_read(void **state)
{
	assert_int_equal(symlink("/etc/passwd", NAME), 0);
	assert_int_equal(read_rule(0), -EINVAL);
	unlink(NAME);
	assert_int_equal(mkfifo(NAME, 0600), 0);
	assert_int_equal(read_rule(0), -EINVAL);
	unlink(NAME);
	assert_int_equal(mkdir(NAME, 0700), 0);
	assert_int_equal(read_rule(0), -EINVAL);
	rmdir(NAME);
	assert_int_equal(output_record_read(place, ".snakemake/../x", geteuid(), 0, rule), -EINVAL);
	assert_int_equal(output_record_read(place, "/etc/passwd", geteuid(), 0, rule), -EINVAL);
}

static void a_folder_that_is_a_link_is_not_followed(void **state)
{
	write_file("{\"rule\": \"map_reads\"}");
	assert_int_equal(rename(".snakemake", "elsewhere"), 0);
	assert_int_equal(symlink("elsewhere", ".snakemake"), 0);
	assert_int_equal(read_rule(0), -ENOTDIR);
	assert_int_equal(unlink(".snakemake"), 0);
	assert_int_equal(rename("elsewhere", ".snakemake"), 0);
	assert_int_equal(read_rule(0), 0);
}

static void somebody_elses_file_is_not_read(void **state)
{
	write_file("{\"rule\": \"map_reads\"}");
	assert_int_equal(output_record_read(place, NAME, geteuid() + 1, 0, rule), -EPERM);
}

static void a_huge_file_is_not_read(void **state)
{
	write_file("{\"rule\": \"map_reads\"}");
	assert_int_equal(truncate(NAME, OUTPUT_RECORD_BYTES), 0);
	assert_int_equal(read_rule(0), -EINVAL); /* zeros behind it */
	assert_int_equal(truncate(NAME, 1 << 30), 0);
	assert_int_equal(read_rule(0), -EFBIG);
}

static void what_is_no_such_json_names_nothing(void **state)
{
	static char deep[100000], long_name[RULE_NAME_BYTES + 16];
	static const char *const texts[] = {
		"",
		"{",
		"{\"rule\": \"map_rea",
		"[\"rule\"]",
		"{\"rule\": 3}",
		"{\"rule\": null}",
		"{\"rule\": \"\"}",
		"{\"rule\": [\"a\"]}",
		"{\"rule\": \"a\"} x",
		"{\"rule\": \"a\", \"rule\": \"b\"}",
		"{\"rule\": \"a\\u0000b\"}",
		"{\"rule\": \"\xff\"}",
		"\"rule\"",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		write_file(texts[i]);
		assert_int_equal(read_rule(0), -EINVAL);
	}
	memset(deep, '[', sizeof(deep) - 1);
	assert_false(output_record_parse(deep, sizeof(deep) - 1, rule));
	(void)snprintf(long_name, sizeof(long_name), "{\"rule\": \"%0*d\"}", RULE_NAME_BYTES, 0);
	assert_false(output_record_parse(long_name, strlen(long_name), rule));
	(void)snprintf(long_name, sizeof(long_name), "{\"rule\": \"%0*d\"}", RULE_NAME_BYTES - 1,
		       0);
	assert_true(output_record_parse(long_name, strlen(long_name), rule));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_rule_of_a_record_is_read, fresh),
		cmocka_unit_test_setup(what_an_earlier_run_left_is_not_taken, fresh),
		cmocka_unit_test_setup(what_is_no_plain_file_is_not_read, fresh),
		cmocka_unit_test_setup(a_folder_that_is_a_link_is_not_followed, fresh),
		cmocka_unit_test_setup(somebody_elses_file_is_not_read, fresh),
		cmocka_unit_test_setup(a_huge_file_is_not_read, fresh),
		cmocka_unit_test_setup(what_is_no_such_json_names_nothing, fresh),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
