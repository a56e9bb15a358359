/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "cli/report/waste/waste.h"
#include "cli/report/waste/waste_hosts.h"

/* What `tracer sweep` writes, of what the lake answered. */

#define HOSTS                                                                               \
	"\"hosts\":[{\"id\":\"h1\",\"hostname\":\"n1\",\"instance_type\":null,\"up_s\":20," \
	"\"tracked_s\":20,\"idle_s\":0,\"idle_usd\":null},"                                 \
	"{\"id\":\"h2\",\"hostname\":\"n2\",\"instance_type\":\"m5.large\",\"up_s\":20,"    \
	"\"tracked_s\":5,\"idle_s\":15,\"idle_usd\":0.5},"                                  \
	"{\"id\":\"h3\",\"hostname\":\"n3\",\"instance_type\":\"m5.large\",\"up_s\":20,"    \
	"\"tracked_s\":4,\"idle_s\":16,\"idle_usd\":1.5}]"

#define WASTE(subject, host, command)                                                              \
	"{\"title\":\"Title\",\"subject\":\"" subject                                              \
	"\",\"name\":\"x\",\"who\":null,\"host_id\":\"" host                                       \
	"\",\"usd_hour\":0.5,\"lasted_s\":60,\"outcome\":null,"                                    \
	"\"summary\":\"It waits.\",\"confidence\":\"high\",\"advice\":null,\"command\":\"" command \
	"\"}"

static bool with_ended; /* of printed() */

static const char *printed(const char *text, bool chosen, size_t most)
{
	static char *out;
	json_t *document = json_loads(text, 0, NULL);
	size_t len = 0;
	FILE *file;

	free(out);
	out = NULL;
	file = open_memstream(&out, &len);
	assert_non_null(document);
	assert_non_null(file);
	waste_print(file, document, &(struct waste_view){ chosen, with_ended, most });
	waste_hosts_print(file, document, most);
	assert_int_equal(fclose(file), 0);
	json_decref(document);
	return out;
}

static void nothing_found_says_of_what(void **state)
{
	static const char ONE[] = "{\"open\":0,\"waste\":[],\"wasted_usd\":0,\"saved_usd\":0,"
				  "\"hosts\":[{\"id\":\"h\",\"hostname\":\"n\"}]}";

	assert_non_null(
		strstr(printed(ONE, false, 9), "No waste is found now (1 host was looked at).\n"));
	assert_non_null(strstr(printed(ONE, true, 9),
			       "No such waste is found now (1 host was looked at).\n"));
	assert_string_equal(printed("{\"open\":0,\"waste\":[],\"hosts\":[]}", false, 9),
			    "No waste is found now (0 hosts were looked at).\n");
}

static void sums_are_those_that_there_are(void **state)
{
	static const struct {
		const char *sums, *words;
	} CASES[] = {
		{ "\"wasted_usd\":0.5,\"saved_usd\":0",
		  "looked at). In this time: $0.500000 wasted.\n" },
		{ "\"wasted_usd\":0.5,\"saved_usd\":0.25",
		  "looked at). In this time: $0.500000 wasted, $0.250000 saved since what cost it "
		  "is gone.\n" },
		{ "\"wasted_usd\":0,\"saved_usd\":0.25",
		  "looked at). In this time: $0.250000 saved since what cost it is gone.\n" },
		{ "\"wasted_usd\":0,\"saved_usd\":0", "looked at).\n" },
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		char text[1024];

		snprintf(text, sizeof(text), "{\"open\":0,\"waste\":[],%s," HOSTS "}",
			 CASES[i].sums);
		assert_non_null(strstr(printed(text, false, 9), CASES[i].words));
	}
}

/* The same number is another process on another host. */
static void a_command_says_where_it_is_to_be_run(void **state)
{
	static const char TEXT[] =
		"{\"open\":5,\"count\":5,\"waste\":[{\"subject\":\"folder\",\"command\":\"rm -r y\","
		"\"host_id\":null,\"evidence\":{\"host_id\":\"h1\"}}," WASTE("task", "h2", "kill 7") "," WASTE(
			"host", "h2",
			"scontrol x") "," WASTE("folder", "h9",
						"rm -r x") "," WASTE("run", "h3",
								     "kill -HUP 8") "]," HOSTS "}";
	const char *text = printed(TEXT, false, 9);

	assert_non_null(strstr(text, "\n    on n2 $ kill 7\n"));
	assert_non_null(strstr(text, "\n    $ scontrol x\n"));
	assert_non_null(strstr(text, "\n    $ rm -r x\n")); /* the host is not known */
	assert_non_null(strstr(text, "\n    on n3 $ kill -HUP 8\n"));
	assert_non_null(strstr(text, "\n    on n1 $ rm -r y\n"));
}

static void what_is_not_in_the_sum_says_so(void **state)
{
	static const char WITHOUT[] =
		"{\"open\":2,\"unpriced\":2,\"count\":2,\"usd_hour\":0,\"waste\":[{\"usd_hour\":null},"
		"{\"usd_hour\":null}]," HOSTS "}";
	static const char TEXT[] =
		"{\"open\":3,\"unpriced\":1,\"count\":3,\"usd_hour\":0.5,\"waste\":[{\"usd_hour\":0.5,"
		"\"lasted_s\":60,\"counted\":true},{\"usd_hour\":0.25,\"lasted_s\":60,\"counted\":false},"
		"{\"usd_hour\":null,\"lasted_s\":60,\"counted\":true}]," HOSTS "}";
	const char *text = printed(TEXT, false, 9);

	assert_non_null(strstr(text, "Waste now: $0.500000 an hour in 3 findings, 1 of them "
				     "without a known price.\n"));
	assert_non_null(strstr(text, "\n  ! $0.500000/h, for 1m 00s"));
	assert_non_null(strstr(text, "\n  ! $0.250000/h (not in the sum), for 1m 00s"));
	assert_non_null(strstr(text, "\n  ! price unknown, for 1m 00s"));
	assert_non_null(strstr(printed(WITHOUT, false, 9),
			       "Waste now: 2 findings, without a known price.\n"));
}

static void what_ended_is_in_the_sums_and_is_shown_if_asked_for(void **state)
{
	static const char TEXT[] =
		"{\"open\":2,\"count\":3,\"wasted_usd\":0.5,\"saved_usd\":0.25,\"waste\":["
		"{\"title\":\"One\"},{\"title\":\"Two\"},{\"title\":\"Three\",\"outcome\":\"stopped\"}]," HOSTS
		"}";

	assert_non_null(strstr(printed(TEXT, false, 1), "$0.250000 saved"));
	assert_non_null(strstr(printed(TEXT, false, 1), "\n  … and 1 more (--all)\nCommands"));
	assert_null(strstr(printed(TEXT, false, 9), "Three"));
	assert_null(strstr(printed(TEXT, false, 9), "more (--all)"));
	with_ended = true;
	assert_non_null(strstr(printed(TEXT, false, 1), "\n  … and 2 more (--all)\n"));
	assert_non_null(strstr(printed(TEXT, false, 9), "Three: "));
	with_ended = false;
}

/* `tracer sweep --all` has no limit of lines. */
static void thousands_are_all_shown(void **state)
{
	static const char ONE[] = WASTE("host", "h1", "poweroff") ",";
	const size_t count = 4000;
	struct buffer text CLEANUP(buffer_clear) = { 0 };
	const char *at;
	size_t shown = 0;

	buffer_init(&text, 0);
	buffer_printf(&text, "{\"open\":%zu," HOSTS ",\"waste\":[", count);
	for (size_t i = 1; i < count; i++)
		buffer_append_text(&text, ONE);
	buffer_append_text(&text, WASTE("host", "h1", "poweroff") "]}");
	assert_false(text.failed);
	at = printed(text.data, false, SIZE_MAX);
	while ((at = strstr(at, "  ! "))) {
		shown++;
		at++;
	}
	assert_int_equal(shown, count);
}

static void hosts_begin_with_the_most_expensive(void **state)
{
	static const char TEXT[] = "{\"open\":0,\"waste\":[]," HOSTS "}";
	const char *text = printed(TEXT, false, 2), *first = strstr(text, "\nn3 ");

	assert_non_null(first);
	assert_non_null(strstr(first, "\nn2 "));
	assert_null(strstr(text, "\nn1 "));
	assert_non_null(strstr(text, "\n… and 1 more (--all)\n"));
	text = printed(TEXT, false, 3);
	assert_non_null(strstr(strstr(text, "\nn2 "), "\nn1 "));
	assert_null(strstr(text, "more (--all)"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_found_says_of_what),
		cmocka_unit_test(sums_are_those_that_there_are),
		cmocka_unit_test(a_command_says_where_it_is_to_be_run),
		cmocka_unit_test(what_is_not_in_the_sum_says_so),
		cmocka_unit_test(what_ended_is_in_the_sums_and_is_shown_if_asked_for),
		cmocka_unit_test(thousands_are_all_shown),
		cmocka_unit_test(hosts_begin_with_the_most_expensive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
