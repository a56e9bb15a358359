/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory/arena.h"
#include "server/ingest/link_group.h"

static struct arena arena;

static int clear(void **state)
{
	arena_clear(&arena);
	return 0;
}

/* A link's value after it was marked. */
static char *marked(const char *value, const char *group)
{
	Signal__Link link = SIGNAL__LINK__INIT, *links[] = { &link };
	Signal__Batch batch = SIGNAL__BATCH__INIT;

	link.value = (char *)(uintptr_t)value;
	batch.links = links;
	batch.n_links = 1;
	assert_int_equal(link_group_mark(&batch, &arena, group), 0);
	return link.value;
}

static void expect(const char *value, const char *group, const char *expected)
{
	assert_string_equal(marked(value, group), expected);
}

static void links_of_one_group_stay_equal(void **state)
{
	expect("trial-7", "default", "trial-7");
	expect("trial-7", "", "trial-7");
	expect("trial-7", "lab", "trial-7 (group lab)");
}

static void links_of_two_groups_are_never_equal(void **state)
{
	static const char *const VALUES[] = { "a",
					      "a (group lab)",
					      "a (group default)",
					      "a (group lab) (group default)",
					      "a (group default) (group lab)",
					      " (group lab)",
					      "a (group other) (group lab)" };
	static const char *const GROUPS[] = { "default", "lab", "other" };
	size_t count = sizeof(VALUES) / sizeof(VALUES[0]);

	for (size_t i = 0; i < count * 3; i++)
		for (size_t j = 0; j < count * 3; j++) {
			char *a = marked(VALUES[i / 3], GROUPS[i % 3]);
			char *b = marked(VALUES[j / 3], GROUPS[j % 3]);

			assert_int_equal(strcmp(a, b) == 0, i == j);
		}
}

static void an_empty_link_is_marked(void **state)
{
	Signal__Link link = SIGNAL__LINK__INIT, *links[] = { &link };
	Signal__Batch batch = SIGNAL__BATCH__INIT;

	batch.links = links;
	batch.n_links = 1;
	assert_int_equal(link_group_mark(&batch, &arena, "lab"), 0);
	assert_string_equal(link.value, " (group lab)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_of_one_group_stay_equal),
		cmocka_unit_test(links_of_two_groups_are_never_equal),
		cmocka_unit_test(an_empty_link_is_marked),
	};

	return cmocka_run_group_tests(tests, NULL, clear);
}
