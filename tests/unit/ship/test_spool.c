/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/id.h"
#include "fixture_spool.h"

DEFINE_CLEANUP(struct spool *, spool_close)

#define MIB ((uint64_t)1 << 20)

static void entries_come_back_in_order_whatever_their_kind(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	folder_make(&folder);
	CLEANUP(spool_closep) struct spool *spool = spool_must_open(&folder, MIB);
	assert_int_equal(spool_look(spool), 0);
	for (uint64_t i = 1; i <= 20; i++)
		assert_int_equal(
			spool_put(spool, i % 3 ? SPOOL_SAMPLES : SPOOL_LIFECYCLE, i, 100 + i), 0);
	assert_int_equal(spool_entries(spool), 20);
	for (uint64_t i = 1; i <= 20; i++) {
		assert_int_equal(spool_look(spool), i); /* looking forgets nothing */
		assert_int_equal(spool_next(spool), i);
	}
	assert_int_equal(spool_next(spool), 0);
	assert_int_equal(spool_entries(spool), 0);
	assert_int_equal(spool_advance(spool), -ENOENT);
	assert_int_equal(spool_peeked_sequence(spool), 0);
}

static void what_waits_is_there_after_closing_and_what_was_delivered_is_not(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	folder_make(&folder);
	struct spool *spool = spool_must_open(&folder, MIB);
	for (uint64_t i = 1; i <= 9; i++)
		spool_put(spool, i % 2, i, 1000);
	for (uint64_t i = 1; i <= 4; i++)
		assert_int_equal(spool_next(spool), i);
	assert_int_equal(spool_look(spool), 5); /* looked at, not delivered */
	spool_close(spool);
	spool = spool_must_open(&folder, MIB);
	assert_int_equal(spool_entries(spool), 5);
	spool_put(spool, SPOOL_LIFECYCLE, 10, 1000);
	for (uint64_t i = 5; i <= 10; i++)
		assert_int_equal(spool_next(spool), i);
	assert_int_equal(spool_next(spool), 0);
	spool_close(spool);
}

static void delivered_segments_leave_the_disk(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	folder_make(&folder);
	struct spool *spool = spool_must_open(&folder, 4 * MIB);
	for (uint64_t i = 1; i <= 300; i++) {
		assert_int_equal(spool_put(spool, SPOOL_LIFECYCLE, i, 10000), 0);
		if (i > 3)
			assert_int_equal(spool_next(spool), i - 3);
		assert_true(folder_count(&folder, "lifecycle-") <= 2);
	}
	while (spool_next(spool))
		;
	spool_close(spool);
	spool = spool_must_open(&folder, 4 * MIB);
	assert_int_equal(spool_look(spool), 0);
	assert_int_equal(folder_count(&folder, "lifecycle-"), 0);
	assert_int_equal(spool_bytes(spool), 0);
	spool_close(spool);
}

static void one_process_holds_a_spool(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	folder_make(&folder);
	CLEANUP(spool_closep) struct spool *spool = spool_must_open(&folder, MIB);
	struct spool *other = NULL;
	struct error words = { 0 };
	struct stat info;
	assert_int_equal(spool_open(&other, folder.spool, MIB, &words), -EBUSY);
	assert_non_null(strstr(words.text, folder.spool));
	assert_null(other);
	assert_int_equal(stat(folder.spool, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0700);
}

static void the_agents_id_stays_and_sequences_go_on(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	char id[ID_SIZE];
	folder_make(&folder);
	struct spool *spool = spool_must_open(&folder, MIB);
	strcpy(id, spool_agent_id(spool));
	assert_int_equal(strlen(id), ID_SIZE - 1);
	assert_int_equal(spool_next_sequence(spool, "boot-a"), 1);
	assert_int_equal(spool_next_sequence(spool, "boot-a"), 2);
	spool_close(spool);
	spool = spool_must_open(&folder, MIB);
	assert_string_equal(spool_agent_id(spool), id);
	assert_int_equal(spool_next_sequence(spool, "boot-a"), 3);
	assert_int_equal(spool_next_sequence(spool, "boot-b"), 1);
	spool_close(spool);
}

/* Sequences that cannot be known are never given twice under the same id. */
static void a_damaged_state_takes_a_new_agent_id(void **state)
{
	for (int damage = 0; damage < 3; damage++) {
		CLEANUP(folder_remove) struct folder folder;
		char id[ID_SIZE], path[400];
		folder_make(&folder);
		struct spool *spool = spool_must_open(&folder, MIB);
		strcpy(id, spool_agent_id(spool));
		spool_next_sequence(spool, "boot");
		spool_put(spool, SPOOL_LIFECYCLE, 1, 100);
		spool_close(spool);
		assert_true(folder_find(&folder, "state", 0, path));
		if (damage == 0)
			file_flip(path, 70);
		else if (damage == 1)
			assert_int_equal(truncate(path, 100), 0);
		else
			assert_int_equal(unlink(path), 0);
		spool = spool_must_open(&folder, MIB);
		assert_string_not_equal(spool_agent_id(spool), id);
		assert_int_equal(spool_next(spool), 1);
		spool_close(spool);
	}
}

static struct spool_loss must_lose(struct spool *spool, const char *why)
{
	struct spool_loss loss = { 0 };
	assert_int_equal(spool_take_loss(spool, &loss), 1);
	assert_string_equal(loss.why, why);
	assert_true(loss.since_at > 0 && loss.since_at <= loss.until_at);
	return loss;
}

static void a_full_spool_drops_the_oldest_samples_and_reports_them(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	folder_make(&folder);
	CLEANUP(spool_closep) struct spool *spool = spool_must_open(&folder, MIB);
	struct spool_loss loss;
	uint64_t lifecycle = 0, samples = 0, sequence;
	for (uint64_t i = 1; i <= 50; i++)
		assert_int_equal(spool_put(spool, SPOOL_LIFECYCLE, i, 10000), 0);
	for (uint64_t i = 51; i <= 150; i++)
		assert_int_equal(spool_put(spool, SPOOL_SAMPLES, i, 10000), 0);
	assert_true(spool_bytes(spool) <= MIB);
	loss = must_lose(spool, "spool full");
	assert_int_equal(loss.records, loss.batches * 10);
	assert_int_equal(spool_take_loss(spool, &loss), 0);
	while ((sequence = spool_next(spool)) != 0) {
		lifecycle += sequence <= 50;
		samples += sequence > 50;
	}
	assert_int_equal(lifecycle, 50);
	assert_true(samples > 30);
	assert_int_equal(samples + loss.batches, 100);
}

static void lifecycle_is_the_last_to_go_and_its_newest_stay(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	folder_make(&folder);
	CLEANUP(spool_closep) struct spool *spool = spool_must_open(&folder, MIB);
	struct spool_loss loss;
	for (uint64_t i = 1; i <= 20; i++)
		assert_int_equal(spool_put(spool, SPOOL_SAMPLES, i, 10000), 0);
	for (uint64_t i = 21; i <= 220; i++)
		assert_int_equal(spool_put(spool, SPOOL_LIFECYCLE, i, 10000), 0);
	assert_int_equal(spool_put(spool, SPOOL_SAMPLES, 221, 100000), -ENOSPC);
	loss = must_lose(spool, "spool full");
	uint64_t first = spool_look(spool), count = 0, last = 0, sequence;
	while ((sequence = spool_next(spool)) != 0) {
		assert_true(last == 0 || sequence == last + 1);
		last = sequence;
		count++;
	}
	assert_true(first > 20);
	assert_int_equal(last, 220);
	assert_int_equal(count + loss.batches, 221);
}

/* What is on its way to the lake while room is made is neither skipped nor taken for another. */
static void an_entry_in_flight_survives_the_making_of_room(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	folder_make(&folder);
	CLEANUP(spool_closep) struct spool *spool = spool_must_open(&folder, MIB);
	struct spool_loss loss;
	uint64_t count = 0;
	spool_put(spool, SPOOL_SAMPLES, 1, 10000);
	assert_int_equal(spool_look(spool), 1);
	for (uint64_t i = 2; i <= 200; i++)
		spool_put(spool, SPOOL_SAMPLES, i, 10000);
	assert_int_equal(spool_advance(spool), 0);
	loss = must_lose(spool, "spool full");
	while (spool_next(spool))
		count++;
	assert_int_equal(1 + count + loss.batches, 200);
}

static void a_batch_bigger_than_the_spool_is_a_loss_and_costs_nothing_else(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	folder_make(&folder);
	CLEANUP(spool_closep) struct spool *spool = spool_must_open(&folder, 100000);
	spool_put(spool, SPOOL_LIFECYCLE, 1, 1000);
	assert_int_equal(spool_put(spool, SPOOL_LIFECYCLE, 2, 200000), -ENOSPC);
	assert_int_equal(must_lose(spool, "spool full").batches, 1);
	assert_int_equal(spool_append(spool, SPOOL_LIFECYCLE, 3, 1, "", (8u << 20) + 1), -EMSGSIZE);
	assert_int_equal(spool_next(spool), 1);
	assert_int_equal(spool_next(spool), 0);
}

static void a_loss_is_reported_again_until_a_batch_has_reported_it(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	folder_make(&folder);
	struct spool *spool = spool_must_open(&folder, 100000);
	struct spool_loss loss;
	spool_put(spool, SPOOL_LIFECYCLE, 1, 200000);
	must_lose(spool, "spool full");
	spool_next_sequence(spool, "boot"); /* writes the state, as an agent does in between */
	spool_put(spool, SPOOL_SAMPLES, 2, 100);
	spool_close(spool); /* before a lifecycle batch reported it */
	spool = spool_must_open(&folder, 100000);
	must_lose(spool, "spool full");
	spool_put(spool, SPOOL_LIFECYCLE, 3, 100);
	assert_int_equal(spool_take_loss(spool, &loss), 0);
	spool_close(spool);
	spool = spool_must_open(&folder, 100000);
	assert_int_equal(spool_take_loss(spool, &loss), 0);
	spool_close(spool);
}

static void a_lost_report_of_a_loss_is_made_again_and_is_no_loss(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	folder_make(&folder);
	CLEANUP(spool_closep) struct spool *spool = spool_must_open(&folder, 1000);
	static const char bytes[2000];
	struct spool_loss loss;
	assert_int_equal(spool_append(spool, SPOOL_LIFECYCLE, 1, 7, bytes, 2000), -ENOSPC);
	for (uint64_t i = 2; i < 5; i++) {
		loss = must_lose(spool, "spool full");
		assert_int_equal(loss.batches, 1);
		assert_int_equal(loss.records, 7);
		assert_int_equal(spool_append(spool, SPOOL_LIFECYCLE, i, 1, bytes, 2000), -ENOSPC);
		assert_int_equal(spool_lost_batches(spool), 1);
	}
	must_lose(spool, "spool full");
	assert_int_equal(spool_append(spool, SPOOL_LIFECYCLE, 5, 3, bytes, 2000), -ENOSPC);
	loss = must_lose(spool, "spool full");
	assert_int_equal(loss.batches, 2);
	assert_int_equal(loss.records, 9); /* two without a record of it */
	assert_int_equal(spool_append(spool, SPOOL_LIFECYCLE, 6, 1, bytes, 10), 0);
	assert_int_equal(spool_take_loss(spool, &loss), 0);
	assert_int_equal(spool_lost_batches(spool), 2);
}

static void rejected_batches_are_set_aside_the_newest_sixteen(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	struct folder rejected;
	folder_make(&folder);
	CLEANUP(spool_closep) struct spool *spool = spool_must_open(&folder, MIB);
	assert_int_equal(spool_reject(spool), -ENOENT);
	for (uint64_t i = 1; i <= 20; i++)
		spool_put(spool, SPOOL_LIFECYCLE, i, 100);
	for (uint64_t i = 1; i <= 19; i++) {
		assert_int_equal(spool_look(spool), i);
		assert_int_equal(spool_reject(spool), 0);
	}
	snprintf(rejected.spool, sizeof(rejected.spool), "%.60s/rejected", folder.spool);
	assert_int_equal(folder_count(&rejected, "0"), 16);
	assert_false(folder_find(&rejected, "0000000000000003", 0, (char[400]){ 0 }));
	assert_true(folder_find(&rejected, "0000000000000013", 0, (char[400]){ 0 }));
	assert_int_equal(must_lose(spool, "lake rejected").records, 190);
	assert_int_equal(spool_next(spool), 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_come_back_in_order_whatever_their_kind),
		cmocka_unit_test(what_waits_is_there_after_closing_and_what_was_delivered_is_not),
		cmocka_unit_test(delivered_segments_leave_the_disk),
		cmocka_unit_test(one_process_holds_a_spool),
		cmocka_unit_test(the_agents_id_stays_and_sequences_go_on),
		cmocka_unit_test(a_damaged_state_takes_a_new_agent_id),
		cmocka_unit_test(a_full_spool_drops_the_oldest_samples_and_reports_them),
		cmocka_unit_test(lifecycle_is_the_last_to_go_and_its_newest_stay),
		cmocka_unit_test(an_entry_in_flight_survives_the_making_of_room),
		cmocka_unit_test(a_batch_bigger_than_the_spool_is_a_loss_and_costs_nothing_else),
		cmocka_unit_test(a_loss_is_reported_again_until_a_batch_has_reported_it),
		cmocka_unit_test(a_lost_report_of_a_loss_is_made_again_and_is_no_loss),
		cmocka_unit_test(rejected_batches_are_set_aside_the_newest_sixteen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
