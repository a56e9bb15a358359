/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "fixture_spool.h"
#include "signal/segment.h"

DEFINE_CLEANUP(struct spool *, spool_close)

#define MIB     ((uint64_t)1 << 20)
#define ENTRIES 10
#define PAYLOAD 1000
#define SIZE    ((long)sizeof(struct segment_entry) + PAYLOAD)

/* A closed spool of ten lifecycle entries in one segment; returns its path. */
static void fill(struct folder *folder, char path[400])
{
	folder_make(folder);
	struct spool *spool = spool_must_open(folder, MIB);
	for (uint64_t i = 1; i <= ENTRIES; i++)
		assert_int_equal(spool_put(spool, SPOOL_LIFECYCLE, i, PAYLOAD), 0);
	spool_close(spool);
	assert_true(folder_find(folder, "lifecycle-", 0, path));
	assert_int_equal(file_size(path), ENTRIES * SIZE);
}

struct recovery {
	unsigned entries;
	uint64_t lost_batches, lost_records;
};

/* Opens, reads all, opens again: nothing comes twice and no loss is reported twice. */
static struct recovery recover(const struct folder *folder)
{
	struct recovery recovery = { 0 };
	struct spool_loss loss;
	uint64_t sequence, last = 0;
	struct spool *spool = spool_must_open(folder, MIB);
	while ((sequence = spool_next(spool)) != 0) {
		assert_true(sequence > last);
		last = sequence;
		recovery.entries++;
	}
	while (spool_take_loss(spool, &loss) == 1) {
		assert_string_equal(loss.why, "spool damaged");
		assert_true(loss.since_at > 0 && loss.since_at <= loss.until_at);
		recovery.lost_batches += loss.batches;
		recovery.lost_records += loss.records;
	}
	assert_int_equal(spool_put(spool, SPOOL_LIFECYCLE, 99, PAYLOAD), 0);
	spool_close(spool);
	spool = spool_must_open(folder, MIB);
	assert_int_equal(spool_take_loss(spool, &loss), 0);
	assert_int_equal(spool_next(spool), 99);
	assert_int_equal(spool_take_loss(spool, &loss), 0);
	assert_int_equal(spool_next(spool), 0);
	spool_close(spool);
	return recovery;
}

static void a_segment_cut_anywhere_loses_only_its_end(void **state)
{
	for (long cut = ENTRIES * SIZE - 1; cut > 0; cut -= 137) {
		CLEANUP(folder_remove) struct folder folder;
		char path[400];
		fill(&folder, path);
		assert_int_equal(truncate(path, cut), 0);
		struct recovery recovery = recover(&folder);
		assert_int_equal(recovery.entries, cut / SIZE);
		assert_int_equal(recovery.lost_batches, cut % SIZE > 0);
	}
}

static void a_flipped_bit_anywhere_loses_one_entry(void **state)
{
	for (long at = 0; at < ENTRIES * SIZE; at += at % SIZE < 60 ? 7 : 331) {
		CLEANUP(folder_remove) struct folder folder;
		char path[400];
		fill(&folder, path);
		file_flip(path, at);
		struct recovery recovery = recover(&folder);
		assert_int_equal(recovery.entries, ENTRIES - 1);
		assert_int_equal(recovery.lost_batches, 1);
		/* a damaged header cannot say how many records there were */
		bool header = at % SIZE < (long)sizeof(struct segment_entry);
		assert_int_equal(recovery.lost_records, header ? 0 : 10);
	}
}

static void damage_in_what_was_delivered_is_no_loss(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	char path[400];
	fill(&folder, path);
	struct spool *spool = spool_must_open(&folder, MIB);
	for (int i = 0; i < 5; i++)
		spool_next(spool);
	spool_close(spool);
	file_flip(path, 2 * SIZE + 3);
	file_flip(path, 4 * SIZE + 500);
	struct recovery recovery = recover(&folder);
	assert_int_equal(recovery.entries, 5);
	assert_int_equal(recovery.lost_batches, 0);
}

/* As when a process ends between passing over the damage and delivering what follows. */
static void damage_that_two_processes_pass_over_is_one_loss(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	struct spool_loss loss = { 0 };
	char path[400];
	fill(&folder, path);
	file_flip(path, 3);
	for (int process = 0; process < 3; process++) {
		struct spool *spool = spool_must_open(&folder, MIB);
		assert_int_equal(spool_look(spool), 2);
		spool_close(spool);
	}
	CLEANUP(spool_closep) struct spool *spool = spool_must_open(&folder, MIB);
	assert_int_equal(spool_take_loss(spool, &loss), 1);
	assert_int_equal(loss.batches, 1);
}

static void a_segment_of_garbage_is_one_loss_of_unknown_size(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	char path[400], garbage[5000];
	fill(&folder, path);
	memset(garbage, 'T', sizeof(garbage));
	FILE *file = fopen(path, "w");
	fwrite(garbage, sizeof(garbage), 1, file);
	fclose(file);
	struct recovery recovery = recover(&folder);
	assert_int_equal(recovery.entries, 0);
	assert_int_equal(recovery.lost_batches, 1);
	assert_int_equal(recovery.lost_records, 0);
}

static void a_full_disk_gives_up_samples_then_refuses_and_goes_on_later(void **state)
{
	CLEANUP(folder_remove) struct folder folder;
	struct spool_loss loss;
	uint64_t kept = 0, sequence, samples_lost = 0;
	folder_make(&folder);
	/* in a mount namespace of its own, so that nothing is left mounted */
	assert_int_equal(unshare(CLONE_NEWNS), 0);
	assert_int_equal(mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	assert_int_equal(mount("tmpfs", folder.path, "tmpfs", 0, "size=512k"), 0);
	struct spool *spool = spool_must_open(&folder, 100 * MIB);
	for (uint64_t i = 1; i <= 5; i++)
		assert_int_equal(spool_put(spool, SPOOL_SAMPLES, i, 20000), 0);
	int rc = 0;
	for (sequence = 6; sequence < 100 && rc == 0; sequence++)
		rc = spool_put(spool, SPOOL_LIFECYCLE, sequence, 20000);
	assert_int_equal(rc, -ENOSPC);
	assert_int_equal(spool_next_sequence(spool, "boot"), 1); /* needs no room */
	assert_int_equal(spool_take_loss(spool, &loss), 1);
	assert_string_equal(loss.why, "disk full");
	assert_int_equal(loss.batches, 5 + 1);
	/* no samples are left to give up: refused, at once */
	assert_int_equal(spool_put(spool, SPOOL_SAMPLES, 101, 20000), -ENOSPC);
	samples_lost = 5;
	assert_int_equal(spool_sync(spool), 0);
	spool_close(spool);
	spool = spool_must_open(&folder, 100 * MIB); /* on the full disk */
	assert_int_equal(spool_next_sequence(spool, "boot"), 2);
	assert_int_equal(spool_look(spool), 6);
	while (spool_next(spool))
		kept++;
	assert_int_equal(kept + samples_lost + 1, sequence - 1);
	assert_int_equal(spool_put(spool, SPOOL_LIFECYCLE, 100, 20000), 0);
	assert_int_equal(spool_next(spool), 100);
	spool_close(spool);
	assert_int_equal(umount(folder.path), 0);
}

/* The child appends, syncs, and says which sequences are safe, until it is killed. */
static void append_for_ever(const struct folder *folder, int pipe_fd)
{
	struct spool *spool = spool_must_open(folder, 64 * MIB);
	for (;;) {
		uint64_t sequence = spool_next_sequence(spool, "boot");
		enum spool_kind kind = sequence % 3 ? SPOOL_LIFECYCLE : SPOOL_SAMPLES;
		if (spool_put(spool, kind, sequence, 8 + sequence * 997 % 30000) != 0)
			_exit(1);
		if (sequence % 4 == 0 &&
		    (spool_sync(spool) != 0 ||
		     write(pipe_fd, &sequence, sizeof(sequence)) != sizeof(sequence)))
			_exit(2);
	}
}

static uint64_t run_and_kill(const struct folder *folder, useconds_t after_us)
{
	uint64_t safe = 0, one;
	int ends[2], status = 0;
	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[0]);
		append_for_ever(folder, ends[1]);
	}
	close(ends[1]);
	if (read(ends[0], &one, sizeof(one)) == sizeof(one))
		safe = one;
	usleep(after_us);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	assert_true(WIFSIGNALED(status));
	while (read(ends[0], &one, sizeof(one)) == sizeof(one))
		safe = one;
	close(ends[0]);
	return safe;
}

static void a_killed_process_loses_nothing_that_was_synced_and_repeats_no_sequence(void **state)
{
	for (useconds_t round = 0; round < 12; round++) {
		CLEANUP(folder_remove) struct folder folder;
		uint64_t safe, sequence, expected = 1, next;
		folder_make(&folder);
		safe = run_and_kill(&folder, round * 3001);
		assert_true(safe > 0);
		CLEANUP(spool_closep) struct spool *spool = spool_must_open(&folder, 64 * MIB);
		next = spool_next_sequence(spool, "boot");
		for (; (sequence = spool_next(spool)) != 0; expected++)
			assert_int_equal(sequence, expected); /* in order, none missing or twice */
		assert_true(expected > safe);
		assert_true(next >= expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_segment_cut_anywhere_loses_only_its_end),
		cmocka_unit_test(a_flipped_bit_anywhere_loses_one_entry),
		cmocka_unit_test(damage_in_what_was_delivered_is_no_loss),
		cmocka_unit_test(damage_that_two_processes_pass_over_is_one_loss),
		cmocka_unit_test(a_segment_of_garbage_is_one_loss_of_unknown_size),
		cmocka_unit_test(
			a_killed_process_loses_nothing_that_was_synced_and_repeats_no_sequence),
		cmocka_unit_test(a_full_disk_gives_up_samples_then_refuses_and_goes_on_later),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
