/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "collect/agent/losses.h"
#include "fixture_sink.h"

/* Each kind of loss is recorded, shown and described: one that is added shall not be forgotten. */

static const struct {
	const char *name, *what, *why;
} kinds[] = {
#define KIND(member, name, what, why) { name, what, why },
	PROBE_LOSSES(KIND) AGENT_LOSSES(KIND)
#undef KIND
};

/* A number of its own for each kind: a sum of some shows which. */
static void count_all(uint64_t now[LOSS_KINDS])
{
	for (size_t i = 0; i < LOSS_KINDS; i++)
		now[i] = 1ULL << i;
}

static uint64_t recorded(const struct sink_kept *kept, const char *what)
{
	const Signal__Loss *loss;
	uint64_t sum = 0;

	for (size_t i = 0; (loss = sink_loss(kept, what, i)); i++)
		sum += loss->count;
	return sum;
}

static uint64_t expected(const char *what)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < LOSS_KINDS; i++)
		if (kinds[i].why && strcmp(kinds[i].what, what) == 0)
			sum += 1ULL << i;
	return sum;
}

static void each_kind_is_told_once(void **state)
{
	struct sink_kept kept;
	struct outbox_sink sink = sink_keeps(&kept);
	struct outbox *outbox = outbox_new("agent", "host", "boot", &sink);
	struct losses losses = { 0 };
	uint64_t now[LOSS_KINDS];

	count_all(now);
	losses_record(&losses, outbox, now);
	losses_record(&losses, outbox, now);
	assert_true(outbox_flush(outbox) > 0);
	for (size_t i = 0; i < LOSS_KINDS; i++)
		assert_int_equal(recorded(&kept, kinds[i].what), expected(kinds[i].what));
	assert_int_equal(recorded(&kept, "batches"), 0); /* recorded where it happened */
	outbox_free(outbox);
	sink_clear(&kept);
}

static void each_kind_is_in_the_status(void **state)
{
	uint64_t now[LOSS_KINDS];
	struct buffer text;
	struct json json;
	json_t *shown;

	count_all(now);
	buffer_init(&text, 0);
	json_init(&json, &text, false);
	losses_write(now, &json);
	shown = json_loadb(text.data, text.len, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(shown);
	assert_int_equal(json_object_size(shown), LOSS_KINDS);
	for (size_t i = 0; i < LOSS_KINDS; i++)
		assert_int_equal(json_integer_value(json_object_get(shown, kinds[i].name)),
				 1ULL << i);
	json_decref(shown);
	buffer_clear(&text);
}

static void each_kind_is_described(void **state)
{
	CLEANUP(freep) char *doc = NULL;
	size_t len;

	assert_int_equal(file_read(AT_FDCWD, TESTS_DIR "/../docs/signal.md", 1 << 20, &doc, &len),
			 0);
	for (size_t i = 0; i < LOSS_KINDS; i++) {
		char row[128];

		(void)snprintf(row, sizeof(row), "\n| `%s` | `%s` | ", kinds[i].name,
			       kinds[i].what);
		if (!strstr(doc, row))
			fail_msg("docs/signal.md has no row of%s", row);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_is_told_once),
		cmocka_unit_test(each_kind_is_in_the_status),
		cmocka_unit_test(each_kind_is_described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
