/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/cleanup.h"
#include "probe/abi/process.h"
#include "probe/decode/process_decode.h"

DEFINE_CLEANUP(struct process_decoder *, process_decoder_free)

/* What the last call of a handler said. */
struct said {
	size_t kills, attempts, opens;
	struct probe_kill kill;
	struct probe_attempt attempt;
	struct probe_opens open;
	char texts[PROBE_OPENS_MAX][8]; /* of the opens */
	char text[FAILURE_PATH_MAX];
};

static void on_kill(void *context, const struct probe_kill *kill)
{
	struct said *said = context;

	said->kills++;
	said->kill = *kill;
	strcpy(said->text, kill->sender_comm);
}

static void on_attempt(void *context, const struct probe_attempt *attempt)
{
	struct said *said = context;

	said->attempts++;
	said->attempt = *attempt;
	strcpy(said->text, attempt->path);
}

static void on_opens_failed(void *context, const struct probe_opens *opens)
{
	struct said *said = context;

	said->opens++;
	said->open = *opens;
	for (size_t i = 0; i < opens->count; i++)
		strcpy(said->texts[i], opens->last[i].path);
}

static void a_kill_has_its_memory_in_bytes(void **state)
{
	CLEANUP(process_decoder_freep) struct process_decoder *decoder = process_decoder_new(12);
	struct said said = { 0 };
	const struct probe_handler handler = { .on_kill = on_kill, .context = &said };
	struct process_kill_record record = {
		.head = { .kind = PROCESS_KILL, .pid = 7, .start_ns = 8 },
		.kill = { .signal = SIGKILL,
			  .code = SI_KERNEL,
			  .oom = 1,
			  .limit_pages = 10,
			  .used_pages = 9,
			  .limit_level = 2,
			  .sender_pid = 5,
			  .sender_start_ns = 6,
			  .sender_uid = 4,
			  .sender_comm = "bwa",
			  .oom_score_adj = -3 },
	};

	assert_int_equal(process_decode(decoder, &record, sizeof(record), &handler), 0);
	assert_int_equal(said.kill.key.pid, 7);
	assert_int_equal(said.kill.key.start_ns, 8);
	assert_int_equal(said.kill.signal, SIGKILL);
	assert_true(said.kill.oom);
	assert_int_equal(said.kill.limit_bytes, 40960);
	assert_int_equal(said.kill.used_bytes, 36864);
	assert_int_equal(said.kill.limit_level, 2);
	assert_int_equal(said.kill.sender.pid, 5);
	assert_int_equal(said.kill.sender.start_ns, 6);
	assert_int_equal(said.kill.sender_uid, 4);
	assert_int_equal(said.kill.oom_score_adj, -3);
	assert_string_equal(said.text, "bwa");
}

static void an_attempt_has_its_errno(void **state)
{
	CLEANUP(process_decoder_freep) struct process_decoder *decoder = process_decoder_new(12);
	struct said said = { 0 };
	const struct probe_handler handler = { .on_attempt = on_attempt, .context = &said };
	struct process_attempt_record record = {
		.head = { .kind = PROCESS_ATTEMPT, .pid = 7, .start_ns = 8 },
		.attempt = { .count = 3, .error = -EACCES, .path = "/a/b" },
	};

	assert_int_equal(process_decode(decoder, &record, sizeof(record), &handler), 0);
	assert_int_equal(said.attempt.key.pid, 7);
	assert_int_equal(said.attempt.count, 3);
	assert_int_equal(said.attempt.error, EACCES);
	assert_string_equal(said.text, "/a/b");
}

static void opens_come_in_their_order_the_last_ones_last(void **state)
{
	static const struct {
		uint32_t count;
		const char *texts[PROBE_OPENS_MAX];
	} rows[] = {
		{ 0, { NULL } },
		{ 1, { "0" } },
		{ 3, { "0", "1", "2" } },
		{ 4, { "0", "1", "2", "3" } },
		{ 6, { "2", "3", "0", "1" } },
		{ UINT32_MAX, { "3", "0", "1", "2" } },
	};
	struct process_opens_record record = {
		.head = { .kind = PROCESS_OPENS, .pid = 7, .start_ns = 8 },
		.opens.last = { { .path = "0", .error = ENOENT, .at_ns = 5 },
				{ .path = "1", .in_cwd = 1 },
				{ .path = "2" },
				{ .path = "3" } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(process_decoder_freep)
		struct process_decoder *decoder = process_decoder_new(12);
		struct said said = { 0 };
		const struct probe_handler handler = { .on_opens_failed = on_opens_failed,
						       .context = &said };

		record.opens.count = rows[i].count;
		assert_int_equal(process_decode(decoder, &record, sizeof(record), &handler), 0);
		assert_int_equal(said.opens, 1);
		assert_int_equal(said.open.key.pid, 7);
		for (size_t j = 0; j < PROBE_OPENS_MAX; j++) {
			assert_int_equal(j < said.open.count, rows[i].texts[j] != NULL);
			if (rows[i].texts[j])
				assert_string_equal(said.texts[j], rows[i].texts[j]);
		}
		if (rows[i].count == 3) {
			assert_int_equal(said.open.last[0].error, ENOENT);
			assert_int_equal(said.open.last[0].at_ns, 5);
			assert_true(said.open.last[1].in_cwd);
		}
	}
}

static void texts_without_an_end_and_short_records_are_refused(void **state)
{
	CLEANUP(process_decoder_freep) struct process_decoder *decoder = process_decoder_new(12);
	struct said said = { 0 };
	const struct probe_handler handler = { .on_kill = on_kill,
					       .on_attempt = on_attempt,
					       .on_opens_failed = on_opens_failed,
					       .context = &said };
	struct process_opens_record opens = { .head.kind = PROCESS_OPENS };
	struct process_kill_record kill = { .head.kind = PROCESS_KILL };
	struct process_attempt_record attempt = { .head.kind = PROCESS_ATTEMPT };

	for (size_t size = sizeof(kill.head); size < sizeof(kill); size += 8)
		assert_int_equal(process_decode(decoder, &kill, size, &handler), -EBADMSG);
	for (size_t size = sizeof(attempt.head); size < sizeof(attempt); size += 8)
		assert_int_equal(process_decode(decoder, &attempt, size, &handler), -EBADMSG);
	for (size_t size = sizeof(opens.head); size < sizeof(opens); size += 8)
		assert_int_equal(process_decode(decoder, &opens, size, &handler), -EBADMSG);
	memset(kill.kill.sender_comm, 'x', sizeof(kill.kill.sender_comm));
	assert_int_equal(process_decode(decoder, &kill, sizeof(kill), &handler), -EBADMSG);
	memset(attempt.attempt.path, 'x', sizeof(attempt.attempt.path));
	assert_int_equal(process_decode(decoder, &attempt, sizeof(attempt), &handler), -EBADMSG);
	opens.opens.count = 1;
	memset(opens.opens.last[0].path, 'x', sizeof(opens.opens.last[0].path));
	assert_int_equal(process_decode(decoder, &opens, sizeof(opens), &handler), -EBADMSG);
	assert_int_equal(said.kills + said.attempts + said.opens, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kill_has_its_memory_in_bytes),
		cmocka_unit_test(an_attempt_has_its_errno),
		cmocka_unit_test(opens_come_in_their_order_the_last_ones_last),
		cmocka_unit_test(texts_without_an_end_and_short_records_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
