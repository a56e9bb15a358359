/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "fixture_store.h"
#include "lake/store/boundary_record.h"

/* Which machine of a cloud a host is, as its agent says: believed within bounds, and stored. */

static char longest_id[BATCH_ID_MAX + 2], longest_text[BOUNDARY_SHORT + 2];

static void ids_and_texts_have_bounds(void **state)
{
	static const struct {
		size_t field;
		char *text;
		size_t len; /* of it; 0: all */
		enum boundary_reason reason;
	} rows[] = {
		{ offsetof(Signal__Host, instance_id), "i-0123456789abcdef0", 0,
		  BOUNDARY_BELIEVED },
		{ offsetof(Signal__Host, instance_id), "i-\x1b[31m", 0, BOUNDARY_ID },
		{ offsetof(Signal__Host, instance_id), "i-\n", 0, BOUNDARY_ID },
		{ offsetof(Signal__Host, instance_id), longest_id, BATCH_ID_MAX,
		  BOUNDARY_BELIEVED },
		{ offsetof(Signal__Host, instance_id), longest_id, BATCH_ID_MAX + 1, BOUNDARY_ID },
		{ offsetof(Signal__Host, account_id), "example.com:p", 0, BOUNDARY_BELIEVED },
		{ offsetof(Signal__Host, account_id), "\xff", 0, BOUNDARY_ID },
		{ offsetof(Signal__Host, account_id), longest_id, BATCH_ID_MAX + 1, BOUNDARY_ID },
		{ offsetof(Signal__Host, purchase), "spot", 0, BOUNDARY_BELIEVED },
		{ offsetof(Signal__Host, purchase), "\xff", 0, BOUNDARY_TEXT },
		{ offsetof(Signal__Host, purchase), longest_text, BOUNDARY_SHORT,
		  BOUNDARY_BELIEVED },
		{ offsetof(Signal__Host, purchase), longest_text, BOUNDARY_SHORT + 1,
		  BOUNDARY_TEXT },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		Signal__Host host = SIGNAL__HOST__INIT;

		memset(longest_id, 'x', sizeof(longest_id));
		memset(longest_text, 'x', sizeof(longest_text));
		if (rows[i].len)
			rows[i].text[rows[i].len] = '\0';
		*(char **)((char *)&host + rows[i].field) = rows[i].text;
		if (boundary_texts(&host.base) != rows[i].reason)
			fail_msg("row %zu: %d", i, boundary_texts(&host.base));
	}
}

static void tags_have_bounds(void **state)
{
	static Signal__Label label[BATCH_LABELS_MAX + 1];
	static Signal__Label *labels[BATCH_LABELS_MAX + 1];
	Signal__Host host = SIGNAL__HOST__INIT;

	for (size_t i = 0; i <= BATCH_LABELS_MAX; i++) {
		signal__label__init(&label[i]);
		label[i].key = "key";
		labels[i] = &label[i];
	}
	host.tags = labels;
	host.n_tags = BATCH_LABELS_MAX;
	assert_int_equal(boundary_texts(&host.base), BOUNDARY_BELIEVED);
	host.n_tags++;
	assert_int_equal(boundary_texts(&host.base), BOUNDARY_LABELS);
	host.n_tags = 2;
	label[1].value = "\xff";
	assert_int_equal(boundary_texts(&host.base), BOUNDARY_TEXT);
	memset(longest_text, 'x', sizeof(longest_text));
	longest_text[BOUNDARY_SHORT + 1] = '\0';
	label[1].value = "";
	label[1].key = longest_text;
	assert_int_equal(boundary_texts(&host.base), BOUNDARY_TEXT);
}

static void a_host_has_them_as_they_were_sent(void **state)
{
	Signal__Label first = SIGNAL__LABEL__INIT, second = SIGNAL__LABEL__INIT;
	Signal__Label *tags[] = { &first, &second };
	Signal__Host *host;
	struct made made;

	first.key = "pro\"ject";
	first.value = "x \\ y";
	second.key = "user:id";
	second.value = "";
	made_init(&made, 1);
	host = made_add(&made, "hosts");
	host->hostname = "node";
	host->instance_id = "i-0123456789abcdef0";
	host->account_id = "123456789012";
	host->purchase = "spot";
	host->tags = tags;
	host->n_tags = 2;
	lake_store(*state, &made);
	assert_string_equal(
		lake_query(*state, "hosts", "host=host", "instance_id account_id purchase tags"),
		"i-0123456789abcdef0 123456789012 spot "
		"{\"pro\\\"ject\":\"x \\\\ y\",\"user:id\":\"\"}\n");
	made_init(&made, 2);
	host = made_add(&made, "hosts");
	host->hostname = "node";
	lake_store(*state, &made);
	assert_string_equal(
		lake_query(*state, "hosts", "host=host", "instance_id account_id purchase tags"),
		"- - - {}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_and_texts_have_bounds),
		cmocka_unit_test(tags_have_bounds),
		cmocka_unit_test_setup_teardown(a_host_has_them_as_they_were_sent, lake_setup,
						lake_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
