/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "watch.h"

DEFINE_CLEANUP(struct watch *, watch_free)

/* The agent ends, and leaves the state that a successor needs. */
static void leave(struct watch **watch)
{
	probe_close((*watch)->probe, true);
	(*watch)->probe = NULL;
	watch_free(TAKE_PTR(*watch));
}

/* A driver that has sent its bytes and stays alive until `hold` is closed. */
static pid_t linger(const char *bytes, int *hold)
{
	const char *const argv[] = { watch_driver_path(), "linger", bytes, NULL };

	return watch_start(argv, hold);
}

static void what_was_counted_before_a_restart_is_not_lost(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_pinned();
	int hold;
	pid_t pid = linger("54321", &hold);

	leave(&watch);
	watch = watch_pinned();
	assert_int_equal(probe_scan(watch->probe), 0);
	assert_true(probe_sample(watch->probe) >= 1);
	assert_int_equal(watch_find(watch, WATCH_ALIVE, pid, 0)->alive.figures.net_unix_tx_bytes,
			 54321);
	close(hold);
	waitpid(pid, NULL, 0);
	watch_until_exit(watch, pid);
	assert_int_equal(watch_final(watch, pid)->net_unix_tx_bytes, 54321);
	assert_int_equal(watch_find(watch, WATCH_NETWORK, pid, 0)->network.tx_bytes, 54321);
}

static void what_ended_between_two_agents_leaves_nothing(void **state)
{
	CLEANUP(watch_freep) struct watch *watch = watch_pinned();
	int hold;
	pid_t pid = linger("123", &hold);
	struct probe_key key;

	assert_true(probe_sample(watch->probe) >= 1);
	key = watch_find(watch, WATCH_ALIVE, pid, 0)->alive.key;
	assert_int_equal(probe_networks(watch->probe, &key, 1), 1);
	leave(&watch);
	close(hold);
	waitpid(pid, NULL, 0);
	watch = watch_pinned();
	assert_int_equal(probe_networks(watch->probe, &key, 1), 1);
	assert_int_equal(probe_scan(watch->probe), 0);
	assert_int_equal(probe_networks(watch->probe, &key, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_counted_before_a_restart_is_not_lost),
		cmocka_unit_test(what_ended_between_two_agents_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, watch_mount_pins, watch_unmount_pins);
}
