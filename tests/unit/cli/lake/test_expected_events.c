/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/lake/expected_events.h"

static void notes(const char *events_text, const char *expected)
{
	json_t *events = json_loads(events_text, 0, NULL);
	struct buffer out;

	assert_non_null(events);
	buffer_init(&out, 0);
	events_expected_note(&out, events, "--all");
	assert_string_equal(out.data ? out.data : "", expected);
	buffer_clear(&out);
	json_decref(events);
}

#define GREP                                                                                      \
	"{\"expected\":true,\"kind\":\"exit_failed\",\"code\":1,\"summary\":\"grep (pid 5, task " \
	"a) exited with code 1 after 2 ms\"}"
#define READLINK                                                                                        \
	"{\"expected\":true,\"kind\":\"exit_failed\",\"code\":1,\"summary\":\"readlink (pid 6) exited " \
	"with code 1\"}"
#define REAL "{\"expected\":false,\"kind\":\"exit_failed\",\"code\":2,\"summary\":\"a (pid 7)\"}"

static void expected_failures_are_counted_with_the_most_frequent_one(void **state)
{
	notes("[" READLINK "," GREP "," REAL "," GREP "]",
	      "3 expected failures are not shown, such as `grep` exit code 1: --all shows them");
	notes("[" REAL "," GREP "]",
	      "1 expected failure is not shown, `grep` exit code 1: --all shows it");
	notes("[" REAL "]", "");
	notes("[]", "");
}

static void an_event_of_another_kind_is_named_by_its_summary(void **state)
{
	notes("[{\"expected\":true,\"kind\":\"killed\",\"summary\":\"seq (pid 5) ended by SIGPIPE\\u001b\"}]",
	      "1 expected failure is not shown, seq (pid 5) ended by SIGPIPE?: --all shows it");
	notes("[{\"expected\":true,\"kind\":\"killed\"}]",
	      "1 expected failure is not shown, killed: --all shows it");
}

static void an_older_lake_says_routine(void **state)
{
	static const struct {
		const char *event;
		bool expected;
	} rows[] = { { "{}", false },
		     { "{\"routine\":true}", true },
		     { "{\"routine\":true,\"expected\":false}", false },
		     { "{\"routine\":false,\"expected\":true}", true },
		     { "{\"expected\":1}", false } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		json_t *event = json_loads(rows[i].event, 0, NULL);

		assert_int_equal(event_is_expected(event), rows[i].expected);
		json_decref(event);
	}
}

static void the_others_stay_in_order(void **state)
{
	json_t *events = json_loads("[{\"n\":1},{\"n\":2,\"expected\":true},{\"n\":3}]", 0, NULL),
	       *shown = events_unexpected(events);

	assert_int_equal(json_array_size(shown), 2);
	assert_int_equal(json_integer_value(json_object_get(json_array_get(shown, 1), "n")), 3);
	json_decref(shown);
	json_decref(events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expected_failures_are_counted_with_the_most_frequent_one),
		cmocka_unit_test(an_event_of_another_kind_is_named_by_its_summary),
		cmocka_unit_test(an_older_lake_says_routine),
		cmocka_unit_test(the_others_stay_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
