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
	size_t kills, attempts;
	struct probe_kill kill;
	struct probe_attempt attempt;
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

static void texts_without_an_end_and_short_records_are_refused(void **state)
{
	CLEANUP(process_decoder_freep) struct process_decoder *decoder = process_decoder_new(12);
	struct said said = { 0 };
	const struct probe_handler handler = { .on_kill = on_kill,
					       .on_attempt = on_attempt,
					       .context = &said };
	struct process_kill_record kill = { .head.kind = PROCESS_KILL };
	struct process_attempt_record attempt = { .head.kind = PROCESS_ATTEMPT };

	for (size_t size = sizeof(kill.head); size < sizeof(kill); size += 8)
		assert_int_equal(process_decode(decoder, &kill, size, &handler), -EBADMSG);
	for (size_t size = sizeof(attempt.head); size < sizeof(attempt); size += 8)
		assert_int_equal(process_decode(decoder, &attempt, size, &handler), -EBADMSG);
	memset(kill.kill.sender_comm, 'x', sizeof(kill.kill.sender_comm));
	assert_int_equal(process_decode(decoder, &kill, sizeof(kill), &handler), -EBADMSG);
	memset(attempt.attempt.path, 'x', sizeof(attempt.attempt.path));
	assert_int_equal(process_decode(decoder, &attempt, sizeof(attempt), &handler), -EBADMSG);
	assert_int_equal(said.kills + said.attempts, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kill_has_its_memory_in_bytes),
		cmocka_unit_test(an_attempt_has_its_errno),
		cmocka_unit_test(texts_without_an_end_and_short_records_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
