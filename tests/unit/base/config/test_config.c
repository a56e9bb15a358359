/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/config/config.h"
#include "base/file.h"

struct settings {
	char *lake_url, *name;
	bool verbose;
	uint64_t workers, memory, interval;
	double price;
};

static const struct config_option options[] = {
	{ "ship.lake-url", CONFIG_TEXT, offsetof(struct settings, lake_url), "http://x", 0, 0,
	  "where" },
	{ "name", CONFIG_TEXT, offsetof(struct settings, name), "", 0, 0, "what it is called" },
	{ "verbose", CONFIG_BOOL, offsetof(struct settings, verbose), "no", 0, 0, "say more" },
	{ "ship.workers", CONFIG_U64, offsetof(struct settings, workers), "2", 1, 64, "how many" },
	{ "memory", CONFIG_BYTES, offsetof(struct settings, memory), "1G", 0, 0, "how much" },
	{ "interval", CONFIG_DURATION, offsetof(struct settings, interval), "5s", 1e6, 3600e9,
	  "how often" },
	{ "price-usd-hour", CONFIG_DOUBLE, offsetof(struct settings, price), "0", 0, 100,
	  "the price" },
};
#define COUNT (sizeof(options) / sizeof(*options))

static struct settings settings;
static char path[] = "/tmp/tracer-test-config-XXXXXX";

static int make(void **state)
{
	memcpy(path + sizeof(path) - 7, "XXXXXX", 6);
	close(mkostemp(path, O_CLOEXEC));
	return config_defaults(&settings, options, COUNT);
}

static int destroy(void **state)
{
	config_clear(&settings, options, COUNT);
	return unlink(path);
}

static int read_yaml(const char *yaml, struct error *err)
{
	assert_int_equal(file_write(path, yaml, strlen(yaml), 0600, NULL), 0);
	return config_file(&settings, options, COUNT, path, err);
}

static void defaults_are_as_they_would_be_written(void **state)
{
	assert_string_equal(settings.lake_url, "http://x");
	assert_string_equal(settings.name, "");
	assert_false(settings.verbose);
	assert_int_equal(settings.workers, 2);
	assert_int_equal(settings.memory, 1 << 30);
	assert_true(settings.interval == 5 * NS_PER_S);
	assert_true(settings.price == 0);
}

static void yaml_sets_nested_keys_of_every_type(void **state)
{
	assert_int_equal(read_yaml("# ours\n"
				   "ship:\n"
				   "  lake_url: https://lake:8717\n"
				   "  workers: 64\n"
				   "name: \"a: b\"\n"
				   "verbose: yes\n"
				   "memory: 512M\n"
				   "interval: 100ms\n"
				   "price-usd-hour: 1.25\n",
				   NULL),
			 0);
	assert_string_equal(settings.lake_url, "https://lake:8717");
	assert_int_equal(settings.workers, 64);
	assert_string_equal(settings.name, "a: b");
	assert_true(settings.verbose);
	assert_int_equal(settings.memory, 512 << 20);
	assert_true(settings.interval == 100 * NS_PER_MS);
	assert_true(settings.price == 1.25);
}

static void files_with_nothing_in_them_change_nothing(void **state)
{
	static const char *const files[] = { "",        "# only a comment\n",
					     "---\n",   "{}\n",
					     "ship:\n", "ship:\n  # nothing\nname:\n" };

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		assert_int_equal(read_yaml(files[i], NULL), 0);
	assert_string_equal(settings.lake_url, "http://x");
}

/* The words behind "FILE". */
static void mistakes_in_yaml_are_said_with_their_line(void **state)
{
	static const struct {
		const char *yaml, *words;
	} rows[] = {
		{ "ship:\n  lake-ur: x\n",
		  ":2: unknown key 'ship.lake-ur'; did you mean 'ship.lake-url'?" },
		{ "\n\nnam: x\n", ":3: unknown key 'nam'; did you mean 'name'?" },
		{ "database: x\n", ":1: unknown key 'database'; --help lists those there are" },
		{ "ship:\n  workers:\n    a: 1\n",
		  ":3: unknown key 'ship.workers.a'; did you mean 'ship.workers'?" },
		{ "ship: 3\n", ":1: unknown key 'ship'; --help lists those there are" },
		{ "ship:\n  workers: many\n",
		  ":2: 'ship.workers' must be a whole number from 1 to 64, not 'many'" },
		{ "ship:\n  workers: 65\n",
		  ":2: 'ship.workers' must be a whole number from 1 to 64, not '65'" },
		{ "ship:\n  workers: -1\n",
		  ":2: 'ship.workers' must be a whole number from 1 to 64, not '-1'" },
		{ "ship:\n  workers: 1.5\n",
		  ":2: 'ship.workers' must be a whole number from 1 to 64, not '1.5'" },
		{ "verbose: maybe\n", ":1: 'verbose' must be true or false, not 'maybe'" },
		{ "verbose:\n", ":1: 'verbose' must be true or false, not ''" },
		{ "memory: 5X\n", ":1: 'memory' must be a size such as 512M or 8G, not '5X'" },
		{ "interval: 5\n",
		  ":1: 'interval' must be a duration such as 5s or 100ms from 1 ms to 1h 00m, not '5'" },
		{ "interval: 2h\n",
		  ":1: 'interval' must be a duration such as 5s or 100ms from 1 ms to 1h 00m, not '2h'" },
		{ "price-usd-hour: nan\n",
		  ":1: 'price-usd-hour' must be a number from 0 to 100, not 'nan'" },
		{ "name: [a, b]\n", ":1: 'name' must be one value, not a list" },
		{ "memory: &m 1G\nname: *m\n", ":2: 'name' must be one value, not an alias" },
		{ "name: a\nname: b\n", ":2: 'name' is given twice" },
		{ "- a\n", ":1: 'key: value' lines are expected" },
		{ "just words\n", ":1: 'key: value' lines are expected" },
		{ "[a]: b\n", ":1: a key must be a plain word" },
		{ "name: \"a\\0b\"\n", ":1: 'name' holds a NUL" },
		{ "name: a\n---\nname: b\n", ":2: a second document begins" },
		{ "a: {a: {a: {a: {a: {a: {a: {a: {a: {a: 1}}}}}}}}}}\n", ":1: nested too deeply" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct error err;

		assert_int_equal(read_yaml(rows[i].yaml, &err), -EINVAL);
		assert_memory_equal(err.text, path, strlen(path));
		assert_string_equal(err.text + strlen(path), rows[i].words);
	}
}

static void what_is_no_yaml_is_said_with_its_line(void **state)
{
	struct error err;

	assert_int_equal(read_yaml("name: x\nname: \"y\n", &err), -EINVAL);
	assert_non_null(strstr(err.text, ":3: this is no YAML: "));
	assert_int_equal(read_yaml("name: \"\xff\"\n", &err), -EINVAL);
	assert_non_null(strstr(err.text, "this is no YAML: "));
}

static void a_key_too_long_is_refused(void **state)
{
	char yaml[400];
	struct error err;

	memset(yaml, 'k', 300);
	memcpy(yaml + 300, ": 1\n", 5);
	assert_int_equal(read_yaml(yaml, &err), -EINVAL);
	assert_non_null(strstr(err.text, ":1: the key is too long: 'kkkk"));
}

static void a_file_that_is_missing_or_too_large_is_said(void **state)
{
	CLEANUP(freep) char *large = malloc((1 << 20) + 2);
	struct error err;

	assert_int_equal(config_file(&settings, options, COUNT, "/nonexistent/x.yaml", &err),
			 -ENOENT);
	assert_string_equal(err.text, "/nonexistent/x.yaml: No such file or directory");
	memset(large, '#', (1 << 20) + 1);
	large[(1 << 20) + 1] = '\0';
	assert_int_equal(read_yaml(large, &err), -EFBIG);
	assert_non_null(strstr(err.text, "1 MiB"));
	large[1 << 20] = '\0';
	assert_int_equal(read_yaml(large, &err), 0);
}

static void a_value_that_is_refused_leaves_the_one_before(void **state)
{
	assert_int_equal(read_yaml("memory: 2X\n", NULL), -EINVAL);
	assert_int_equal(settings.memory, 1 << 30);
	assert_int_equal(read_yaml("interval: 2h\n", NULL), -EINVAL);
	assert_true(settings.interval == 5 * NS_PER_S);
}

static void the_environment_sets_what_it_names(void **state)
{
	struct error err;

	setenv("TRACER_SHIP_LAKE_URL", "http://env", 1);
	setenv("TRACER_SHIP_WORKERS", "7", 1);
	setenv("TRACER_UNHEARD_OF", "x", 1);
	assert_int_equal(config_environment(&settings, options, COUNT, &err), 0);
	assert_string_equal(settings.lake_url, "http://env");
	assert_int_equal(settings.workers, 7);
	setenv("TRACER_SHIP_WORKERS", "x", 1);
	assert_int_equal(config_environment(&settings, options, COUNT, &err), -EINVAL);
	assert_string_equal(err.text, "TRACER_SHIP_WORKERS in the environment: 'ship.workers' must "
				      "be a whole number from 1 to 64, not 'x'");
	unsetenv("TRACER_SHIP_LAKE_URL");
	unsetenv("TRACER_SHIP_WORKERS");
	unsetenv("TRACER_UNHEARD_OF");
}

/* Splits at spaces, applies, and gives the rest of the arguments, joined again. */
static int apply(const char *line, char rest[256], struct error *err)
{
	CLEANUP(freep) char *copy = strdup(line);
	char *argv[16], *at = copy;
	int argc = 0, r;

	while ((argv[argc] = strsep(&at, " ")))
		argc++;
	r = config_arguments(&settings, options, COUNT, &argc, argv, err);
	rest[0] = '\0';
	assert_null(r ? NULL : argv[argc]);
	for (int i = 0; !r && i < argc; i++)
		snprintf(rest + strlen(rest), 256 - strlen(rest), "%s%s", i ? " " : "", argv[i]);
	return r;
}

static void options_are_taken_out_and_the_rest_keeps_its_order(void **state)
{
	char rest[256];

	assert_int_equal(apply("tracer a --ship-workers 3 -x --name=n b --verbose c -- --name z",
			       rest, NULL),
			 0);
	assert_string_equal(rest, "tracer a -x b c -- --name z");
	assert_int_equal(settings.workers, 3);
	assert_string_equal(settings.name, "n");
	assert_true(settings.verbose);
	assert_int_equal(apply("tracer --verbose=false --name= -", rest, NULL), 0);
	assert_string_equal(rest, "tracer -");
	assert_false(settings.verbose);
	assert_string_equal(settings.name, "");
}

static void mistakes_in_arguments_are_said(void **state)
{
	static const struct {
		const char *line, *words;
	} rows[] = {
		{ "t --ship-lake-ur=x",
		  "unknown option '--ship-lake-ur'; did you mean '--ship-lake-url'?" },
		{ "t --zzzzzzzz", "unknown option '--zzzzzzzz'; --help lists those there are" },
		{ "t --name", "--name needs a value" },
		{ "t --config", "--config needs a file" },
		{ "t --ship-workers 0",
		  "--ship-workers: 'ship.workers' must be a whole number from 1 to 64, not '0'" },
		{ "t --config /nonexistent", "/nonexistent: No such file or directory" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct error err;
		char rest[256];

		assert_int_not_equal(apply(rows[i].line, rest, &err), 0);
		assert_string_equal(err.text, rows[i].words);
	}
}

static void each_source_overrides_the_one_before(void **state)
{
	const char *yaml = "name: file\nship:\n  workers: 3\n  lake-url: file\n";
	char line[256], rest[256];

	assert_int_equal(file_write(path, yaml, strlen(yaml), 0600, NULL), 0);
	setenv("TRACER_NAME", "env", 1);
	setenv("TRACER_SHIP_WORKERS", "4", 1);
	snprintf(line, sizeof(line), "t --name option x --config %s y", path);
	assert_int_equal(apply(line, rest, NULL), 0);
	assert_string_equal(rest, "t x y");
	assert_string_equal(settings.name, "option");
	assert_int_equal(settings.workers, 4);
	assert_string_equal(settings.lake_url, "file");
	snprintf(line, sizeof(line), "t --config=%s", path);
	assert_int_equal(apply(line, rest, NULL), 0);
	assert_string_equal(settings.name, "env");
	unsetenv("TRACER_NAME");
	unsetenv("TRACER_SHIP_WORKERS");
}

static void durations_have_units(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} rows[] = { { "1ms", NS_PER_MS },         { "1500us", 1500 * NS_PER_US },
		     { "1.5s", 3 * NS_PER_S / 2 }, { "2m", 120 * NS_PER_S },
		     { "1h", 3600 * NS_PER_S },    { "2000000ns", 2 * NS_PER_MS } };
	char line[64], rest[256];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(line, sizeof(line), "t --interval %s", rows[i].text);
		assert_int_equal(apply(line, rest, NULL), 0);
		assert_true(settings.interval == rows[i].ns);
	}
	assert_int_equal(apply("t --interval 5sec", rest, NULL), -EINVAL);
	assert_int_equal(apply("t --interval 99999999999d", rest, NULL), -EINVAL);
}

static void help_is_a_line_an_option(void **state)
{
	CLEANUP(buffer_clear) struct buffer out;

	buffer_init(&out, 0);
	config_help(&out, options, 2);
	assert_string_equal(out.data, "  --ship-lake-url              where (default: http://x)\n"
				      "  --name                       what it is called\n");
}

static void a_table_with_a_fallback_that_cannot_be_read_is_a_mistake(void **state)
{
	static const struct config_option wrong = { "n", CONFIG_U64, 0, "x", 0, 0, "" };
	uint64_t number = 0;

	assert_int_equal(config_defaults(&number, &wrong, 1), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(defaults_are_as_they_would_be_written, make,
						destroy),
		cmocka_unit_test_setup_teardown(yaml_sets_nested_keys_of_every_type, make, destroy),
		cmocka_unit_test_setup_teardown(files_with_nothing_in_them_change_nothing, make,
						destroy),
		cmocka_unit_test_setup_teardown(mistakes_in_yaml_are_said_with_their_line, make,
						destroy),
		cmocka_unit_test_setup_teardown(what_is_no_yaml_is_said_with_its_line, make,
						destroy),
		cmocka_unit_test_setup_teardown(a_key_too_long_is_refused, make, destroy),
		cmocka_unit_test_setup_teardown(a_file_that_is_missing_or_too_large_is_said, make,
						destroy),
		cmocka_unit_test_setup_teardown(a_value_that_is_refused_leaves_the_one_before, make,
						destroy),
		cmocka_unit_test_setup_teardown(the_environment_sets_what_it_names, make, destroy),
		cmocka_unit_test_setup_teardown(options_are_taken_out_and_the_rest_keeps_its_order,
						make, destroy),
		cmocka_unit_test_setup_teardown(mistakes_in_arguments_are_said, make, destroy),
		cmocka_unit_test_setup_teardown(each_source_overrides_the_one_before, make,
						destroy),
		cmocka_unit_test_setup_teardown(durations_have_units, make, destroy),
		cmocka_unit_test_setup_teardown(help_is_a_line_an_option, make, destroy),
		cmocka_unit_test_setup_teardown(
			a_table_with_a_fallback_that_cannot_be_read_is_a_mistake, make, destroy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
